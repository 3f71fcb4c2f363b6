#pragma once
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

/// `rd_kafka_producev` is variadic, so Swift cannot call it. Copies key and value; a negative length is a null.
/// Takes the headers over when it succeeds, and only then. Never blocks: the queue being full is an error.
static inline rd_kafka_resp_err_t keijiban_kafka_produce(
    rd_kafka_t *client, const char *topic, int32_t partition,
    const void *key, long key_length, const void *value, long value_length,
    rd_kafka_headers_t *headers, void *opaque) {
    // An empty array of Swift may have no address, and a null address would make it a null.
    const void *key_start = key_length < 0 ? NULL : key_length == 0 ? "" : key;
    const void *value_start = value_length < 0 ? NULL : value_length == 0 ? "" : value;
    return rd_kafka_producev(
        client, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(partition), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
        RD_KAFKA_V_KEY((void *)key_start, key_length < 0 ? 0 : (size_t)key_length),
        RD_KAFKA_V_VALUE((void *)value_start, value_length < 0 ? 0 : (size_t)value_length),
        RD_KAFKA_V_HEADERS(headers), RD_KAFKA_V_OPAQUE(opaque), RD_KAFKA_V_END);
}

/// `rd_kafka_error_new` is variadic.
static inline rd_kafka_error_t *keijiban_kafka_error(rd_kafka_resp_err_t code) {
    return rd_kafka_error_new(code, NULL);
}

/// librdkafka's own flag for an end that frees nothing: the threads stop, what the client held stays.
#define KEIJIBAN_KAFKA_DESTROY_IMMEDIATE 0x4
