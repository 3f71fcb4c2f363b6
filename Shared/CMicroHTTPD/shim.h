#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <microhttpd.h>

/// What libmicrohttpd calls, always on the thread that runs the daemon.
struct keijiban_http_callbacks {
    MHD_AccessHandlerCallback request;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
};

/// The target reaches Swift as it was sent; percent signs are decoded there.
static inline size_t keijiban_http_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/// `MHD_start_daemon` is variadic, so Swift cannot call it.
static inline struct MHD_Daemon *keijiban_http_start(
    int listener, unsigned int connection_limit, unsigned int idle_seconds, size_t memory_per_connection,
    struct keijiban_http_callbacks callbacks, void *context) {
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, callbacks.request, context,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_per_connection,
        MHD_OPTION_NOTIFY_COMPLETED, callbacks.completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, callbacks.connection, context,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks.target, context,
        MHD_OPTION_UNESCAPE_CALLBACK, &keijiban_http_keep_escapes, NULL,
        MHD_OPTION_END);
}

/// The variadic and union-returning questions about a daemon and its connections.
static inline int keijiban_http_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

static inline int keijiban_http_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

static inline size_t keijiban_http_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info == NULL ? 0 : info->header_size;
}

/// Writes the client's address without its port; returns 0 where there is none.
static inline int keijiban_http_client_address(struct MHD_Connection *connection, char *text, size_t size) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info != NULL && info->client_addr != NULL
        && getnameinfo(info->client_addr,
                       info->client_addr->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                                : sizeof(struct sockaddr_in),
                       text, (socklen_t)size, NULL, 0, NI_NUMERICHOST) == 0;
}

/// What the reader of a body returns; macros with casts do not reach Swift.
static inline ssize_t keijiban_http_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t keijiban_http_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
/// The response is sent without chunks: libmicrohttpd sends the last one also where there is no body, behind the answer to a HEAD.
static inline void keijiban_http_forbid_chunks(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

static inline uint64_t keijiban_http_size_unknown(void) { return MHD_SIZE_UNKNOWN; }

/// `ioctl` is variadic. The bytes that have arrived at a socket and were not read.
static inline int keijiban_http_unread(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : 0;
}

/// A second descriptor of the same socket, not inherited by child processes (`fcntl` is variadic).
static inline int keijiban_http_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

/// Lets the process have as many descriptors open as it is allowed to ask for.
static inline void keijiban_http_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}
