#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>
#include <stddef.h>

/* curl_easy_setopt and its siblings are variadic, which Swift cannot call: one thin function per
   argument type. */

typedef size_t (*cc_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*cc_socket_callback)(CURL *easy, curl_socket_t fd, int what, void *context, void *socket);
typedef int (*cc_timer_callback)(CURLM *multi, long milliseconds, void *context);
typedef int (*cc_close_callback)(void *context, curl_socket_t fd);
typedef CURLcode (*cc_ssl_ctx_callback)(CURL *easy, void *ssl_ctx, void *context);

static inline CURLcode cc_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cc_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cc_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cc_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cc_set_bytes(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cc_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode cc_set_data_callback(CURL *easy, CURLoption option, cc_data_callback callback) {
  return curl_easy_setopt(easy, option, callback);
}
static inline CURLcode cc_set_close_callback(CURL *easy, cc_close_callback callback, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
  if (code != CURLE_OK) return code;
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
}
static inline CURLcode cc_set_ssl_ctx_callback(CURL *easy, cc_ssl_ctx_callback callback, void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, callback);
  if (code != CURLE_OK) return code;
  return curl_easy_setopt(easy, CURLOPT_SSL_CTX_DATA, context);
}
/* A resolver thread that is not done is left alone instead of waited for: libcurl 7.87 and later. */
static inline CURLcode cc_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
  return CURLE_OK;
#endif
}
/* The blob is copied by libcurl (CURL_BLOB_COPY). */
static inline CURLcode cc_set_ca_blob(CURL *easy, const void *bytes, size_t length) {
  struct curl_blob blob;
  blob.data = (void *)bytes;
  blob.len = length;
  blob.flags = CURL_BLOB_COPY;
  return curl_easy_setopt(easy, CURLOPT_CAINFO_BLOB, &blob);
}
static inline CURLMcode cc_multi_set_socket_callback(CURLM *multi, cc_socket_callback callback, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
  if (code != CURLM_OK) return code;
  return curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
}
static inline CURLMcode cc_multi_set_timer_callback(CURLM *multi, cc_timer_callback callback, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
  if (code != CURLM_OK) return code;
  return curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}
static inline CURLMcode cc_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLcode cc_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode cc_get_pointer(CURL *easy, CURLINFO info, char **value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode cc_get_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode cc_get_double(CURL *easy, CURLINFO info, double *value) {
  return curl_easy_getinfo(easy, info, value);
}
/* CURL_SOCKET_TIMEOUT and CURL_WRITEFUNC_PAUSE are macros Swift does not import on every version. */
static inline curl_socket_t cc_socket_timeout(void) { return CURL_SOCKET_TIMEOUT; }
static inline size_t cc_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline CURLcode cc_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
/* The TLS library in use, as in "OpenSSL/3.0.19", or NULL. */
static inline const char *cc_tls_library(void) {
  curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  return info ? info->ssl_version : NULL;
}
/* Where the system's own trust anchors are kept, or NULL. */
static inline const char *cc_default_ca_file(void) {
  curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);
  return info && info->age >= CURLVERSION_SEVENTH ? info->cainfo : NULL;
}

#endif
