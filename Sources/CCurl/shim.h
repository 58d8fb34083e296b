#pragma once
#include <curl/curl.h>

// curl's setopt and getinfo are variadic, which Swift cannot call. Each wrapper fixes one argument type.

typedef size_t (*curl_write)(char *, size_t, size_t, void *);
typedef int (*curl_progress)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode curl_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode curl_set_offset(CURL *h, CURLoption o, curl_off_t v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode curl_set_string(CURL *h, CURLoption o, const char *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode curl_set_pointer(CURL *h, CURLoption o, void *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode curl_set_list(CURL *h, CURLoption o, struct curl_slist *v) { return curl_easy_setopt(h, o, v); }
// Serves CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION, which have the same type.
static inline CURLcode curl_set_write(CURL *h, CURLoption o, curl_write f) { return curl_easy_setopt(h, o, f); }
static inline CURLcode curl_set_progress(CURL *h, curl_progress f) { return curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, f); }
static inline CURLcode curl_get_long(CURL *h, CURLINFO i, long *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode curl_get_offset(CURL *h, CURLINFO i, curl_off_t *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode curl_get_string(CURL *h, CURLINFO i, const char **v) { return curl_easy_getinfo(h, i, (char **)v); }

static inline CURLMcode curl_multi_set_long(CURLM *m, CURLMoption o, long v) { return curl_multi_setopt(m, o, v); }
// The next transfer that has ended, or null. CURLMsg holds a union, which Swift cannot read safely.
static inline CURL *curl_multi_next_done(CURLM *m, CURLcode *result) {
  int left;
  for (CURLMsg *next; (next = curl_multi_info_read(m, &left));)
    if (next->msg == CURLMSG_DONE) { *result = next->data.result; return next->easy_handle; }
  return 0;
}
