#pragma once
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// The macros that begin a stream cannot be spelled in Swift. One entry of an archive lies in memory, and so does room for all that may
// come out of it.

// 0 where the whole entry was inflated; out_count says how much came out also where it was not.
static inline int zip_inflate(const uint8_t *in, size_t in_count, uint8_t *out, size_t *out_count) {
    z_stream stream = {0};
    if (in_count > UINT32_MAX || *out_count > UINT32_MAX || inflateInit2(&stream, -MAX_WBITS) != Z_OK) return Z_DATA_ERROR;
    stream.next_in = (Bytef *)in;
    stream.avail_in = (uInt)in_count;
    stream.next_out = out;
    stream.avail_out = (uInt)*out_count;
    int result = inflate(&stream, Z_FINISH);
    *out_count -= stream.avail_out;
    int is_whole = result == Z_STREAM_END && stream.avail_in == 0;
    inflateEnd(&stream);
    return is_whole ? 0 : Z_DATA_ERROR;
}

// 0 where all of it was compressed, with the head and tail of gzip, and found room; out_count says how much came out.
static inline int zip_gzip(const uint8_t *in, size_t in_count, int level, uint8_t *out, size_t *out_count) {
    z_stream stream = {0};
    size_t room = *out_count;
    *out_count = 0;
    if (in_count > UINT32_MAX || room > UINT32_MAX) return Z_DATA_ERROR;
    if (deflateInit2(&stream, level, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) return Z_MEM_ERROR;
    stream.next_in = (Bytef *)in;
    stream.avail_in = (uInt)in_count;
    stream.next_out = out;
    stream.avail_out = (uInt)room;
    int result = deflate(&stream, Z_FINISH);
    *out_count = room - stream.avail_out;
    deflateEnd(&stream);
    return result == Z_STREAM_END ? 0 : Z_BUF_ERROR;
}

static inline uint32_t zip_crc32(const uint8_t *bytes, size_t count) {
    return (uint32_t)crc32_z(0, bytes, count);
}
