#pragma once
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/proverr.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <stdint.h>

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

// What an encrypted key says of its key derivation. A number that does not fit is the largest one.
enum { CRYPTO_UNKNOWN, CRYPTO_SCRYPT, CRYPTO_PBKDF2, CRYPTO_PBE };
struct crypto_derivation {
  int kind;
  uint64_t cost, block_size, parallelism;
};

static inline uint64_t crypto_number(const ASN1_INTEGER *number) {
  uint64_t value;
  return ASN1_INTEGER_get_uint64(&value, number) == 1 ? value : UINT64_MAX;
}
static inline struct crypto_derivation crypto_read_function(const X509_ALGOR *function) {
  struct crypto_derivation found = {CRYPTO_UNKNOWN, 0, 0, 0};
  int method = OBJ_obj2nid(function->algorithm);
  if (method == NID_id_pbkdf2) {
    PBKDF2PARAM *facts = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBKDF2PARAM), function->parameter);
    if (facts == NULL) return found;
    found = (struct crypto_derivation){CRYPTO_PBKDF2, crypto_number(facts->iter), 1, 1};
    PBKDF2PARAM_free(facts);
  } else if (method == NID_id_scrypt) {
    SCRYPT_PARAMS *facts = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(SCRYPT_PARAMS), function->parameter);
    if (facts == NULL) return found;
    found = (struct crypto_derivation){CRYPTO_SCRYPT, crypto_number(facts->costParameter), crypto_number(facts->blockSize),
                                       crypto_number(facts->parallelizationParameter)};
    SCRYPT_PARAMS_free(facts);
  }
  return found;
}
static inline struct crypto_derivation crypto_read_derivation(const X509_SIG *sealed) {
  struct crypto_derivation found = {CRYPTO_UNKNOWN, 0, 0, 0};
  const X509_ALGOR *method;
  X509_SIG_get0(sealed, &method, NULL);
  if (OBJ_obj2nid(method->algorithm) == NID_pbes2) {
    PBE2PARAM *facts = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), method->parameter);
    if (facts == NULL) return found;
    found = crypto_read_function(facts->keyfunc);
    PBE2PARAM_free(facts);
  } else {
    PBEPARAM *facts = ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBEPARAM), method->parameter);
    if (facts == NULL) return found;
    found = (struct crypto_derivation){CRYPTO_PBE, crypto_number(facts->iter), 1, 1};
    PBEPARAM_free(facts);
  }
  return found;
}
