#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/proverr.h>
#include <openssl/x509.h>

// Each reader takes the DER value that fills `der` to its last byte, and returns NULL for anything else.

static inline PKCS8_PRIV_KEY_INFO *crypto_read_private_key(const unsigned char *der, long count) {
  const unsigned char *end = der;
  PKCS8_PRIV_KEY_INFO *value = d2i_PKCS8_PRIV_KEY_INFO(NULL, &end, count);
  if (value != NULL && end == der + count) return value;
  PKCS8_PRIV_KEY_INFO_free(value);
  return NULL;
}
static inline X509_SIG *crypto_read_encrypted_key(const unsigned char *der, long count) {
  const unsigned char *end = der;
  X509_SIG *value = d2i_X509_SIG(NULL, &end, count);
  if (value != NULL && end == der + count) return value;
  X509_SIG_free(value);
  return NULL;
}
static inline X509_PUBKEY *crypto_read_public_key(const unsigned char *der, long count) {
  const unsigned char *end = der;
  X509_PUBKEY *value = d2i_X509_PUBKEY(NULL, &end, count);
  if (value != NULL && end == der + count) return value;
  X509_PUBKEY_free(value);
  return NULL;
}
