internal import CCurl

extension HTTPClientError {
    init(_ code: CURLcode, _ transfer: Transfer) {
        let message = unsafe String(cString: curl_easy_strerror(code))
        self =
            switch code {
            case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_SSL_CONNECT_ERROR: Self(.connect, message)
            case CURLE_OPERATION_TIMEDOUT where !transfer.hasConnected: Self(.connect, message)
            case CURLE_OPERATION_TIMEDOUT: Self(.timeout, message)
            case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: Self(.invalidUrl, message)
            case CURLE_FILESIZE_EXCEEDED: Self(.tooLarge, message)
            case CURLE_WRITE_ERROR where transfer.isTooLarge: Self(.tooLarge, "the answer is longer than the limit")
            default: Self(.interrupted, message)
            }
    }
}
