/// Keys and signatures over `message` that OpenSSL 3.0 and Python's cryptography 48 have made.
enum VerifyingVectors {
  static let message = Array("sealift metadata".utf8)

  // P-256: one key in three spellings.
  static let ecdsaKey = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEwjBeZYVE1gRrjtrlYVD4zkM4AHGa
    yy8UTP4f+AjQaTtJ8/cc1BSJVJInYtjzHJia6XKj1N3XkiqhpHjIj7Ay1g==
    -----END PUBLIC KEY-----
    """
  static let ecdsaCompressedKey = """
    -----BEGIN PUBLIC KEY-----
    MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgACwjBeZYVE1gRrjtrlYVD4zkM4AHGa
    yy8UTP4f+AjQaTs=
    -----END PUBLIC KEY-----
    """
  static let ecdsaExplicitKey = """
    -----BEGIN PUBLIC KEY-----
    MIIBSzCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAA
    AAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA////
    ///////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSd
    NgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5
    RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA
    //////////+85vqtpxeehPO5ysL8YyVRAgEBA0IABMIwXmWFRNYEa47a5WFQ+M5D
    OABxmssvFEz+H/gI0Gk7SfP3HNQUiVSSJ2LY8xyYmulyo9Td15IqoaR4yI+wMtY=
    -----END PUBLIC KEY-----
    """
  static let ecdsaByOpenSSL =
    "3045022100a4aa79eafd22b38d2379946d2f5563ee4f15412b8aa895896223e4ab29a53b07022042"
    + "f59cf7b8c11d27fdc6cfc21ba072eaef3a59058b97b70281f1e0ce6915dda5"
  static let ecdsaByPython =
    "3045022044b9b768567561aca649d5c4db07ceaa8ce1c70d1f5847c952c39ff9c0939097022100d8"
    + "e5c8819d086ff646b87d511df3b1abb712678a885657a4ee0f4e4a747fa075"

  // Keys of other curves.
  static let p384Key = """
    -----BEGIN PUBLIC KEY-----
    MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEGuPQcZjT0xHzpnHMJ+FNFGseVSyKNuML
    6P+yzM/ymHS65yVies0Zn0EdVLaVBqmf6BLCwT9Sz3fJhHdq44j4f8mJru0uoPby
    UvDqtXEg+5MOqeN+aZbJRmIIPuAAIkrf
    -----END PUBLIC KEY-----
    """
  static let secp256k1Key = """
    -----BEGIN PUBLIC KEY-----
    MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEpSI6psfVD8mRLw5Dx8zVkdTmKN7DK1jM
    hzx4eqKfsdQb0Bpr3QYkggz9RdldEjBog/HcceEgYGrmrcZc9fvD2g==
    -----END PUBLIC KEY-----
    """

  // RSA.
  static let rsaKey = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnVegUYqKYWPBaZsd1Xqk
    cA68ji5ccqqrDYwR8vaI7DiiyGtaIj8ssspUg4d3kQlmid8prjXqrJhnn6AOlyKx
    FNV9fij6OXPcfvKUnIMbaG62FLfteGj2bYrGMMTK18ehNVlfNj3hln0u46pbXnn2
    rTnVsMciiyRvQwhHlmoy55LufqwguRq/olPCE/xTMlAp7Yk2LHf4MU98f42/zC8h
    ZJ/XmK1z6mBdtof6p9S7KLVrOq7onp0Fe9GLANU84rewPELJcotpjntp0sVS9wJ1
    R7JYE0jX6HHGTLfjIYfoxeqP9V4mM/P2jPf2bb6jXj8DaL2aNpoNuZ7/KIsaBYXn
    XQIDAQAB
    -----END PUBLIC KEY-----
    """
  // Salts of 32 bytes, of as many as fit, and of none.
  static let pssByOpenSSL =
    "7948a288267597f6b6aaf86ac123510b9be03d44d7ab0c466ced535c7ef9abd396a385e2b736633e"
    + "8095da8336f928c60563c4f986b5c4db220b15491583a38e4e8301c8a9e14ed5826053d68f3ead1a"
    + "8edbb305baa99135cb2fb293e772cd1d168193538ee6a295862de369db303784150ffd1a7a237a89"
    + "573d6dcfebc9d576bb0cde9b656606b89e1161c9bd7ce815bcd7e83cae6b2bbf64a44b767a11dc4d"
    + "d7fe68ba3e88cd986922e3e7fd523ca9d75894765d13c4480452649bdbb5daa0d5be510202266e15"
    + "8169d214919b0afcd2164fd3d10654d462ee59353d4ef4641da096f83d6a00469f41c3e10418d216"
    + "8f715f4414788a65c486807750492b21"
  static let pssLongSaltByPython =
    "7e3033a21291ffe3611d2ec6d6941fbbf504e1f751676b822161be70e89bffb293dff5a4a3f1e081"
    + "03830220735628b0bcb274874bbe1a729242f42ddcb59b72a149d3ff0d8a41faf2fa75ec95112320"
    + "5dbb7ff7a2b0417247b2803275c5e4b9ecc9b30eb2465897d623cee191d2b292a166509ad6171b13"
    + "92c5a541ecd2746b6fa971a7451f515d75888705a0873d16e4a6d040c90cd402e9d87ed991b03467"
    + "f2cbe892c42181defea46faaf30e21bc545f356bbd967f4a75e048daeca132285390ee3afc0238e7"
    + "5b8ad6f92270033b5a4b4e5e630248e2bb6646dd09e9bb2bead3e8c779a6bd25a288e28b6100056c"
    + "dc1d3fbe2e0f93cd4429c6392024e328"
  static let pssNoSaltByPython =
    "73dee7d581372d1d7aca98b6b806c7bddf180f3e6d08b03b0cf1c55ef5f3eceb6599f0fb45930462"
    + "a05b8496cac00b3739bba2b940be7a196586e77e13ba33ecfa6c99f15f47aa2c9dcba2a58a9d62ef"
    + "35bb051c0418991fbd635450f3d6f7f0c706a78445a3f0898364b17bf35cd5b9b82a5f95ddd173fb"
    + "ee08774713eb6b34f2b3f9ce4f3ef188c5f9f8e47cf887c84e69db677bacbea69f30b3335e44d727"
    + "34b458d4b3ac6b70da6d56ab7426fcd3db15d8c4a9ece8cb46bfe039dc007b51d6777ad0a8554fe3"
    + "37979cb794b92a05d643c2587a233db12a9fbe2655db4a60f84e6b481aa63f1945c822443f1d7f0c"
    + "18322be990c8c75875520efed3ccbfd1"
  // Other paddings and hashes.
  static let pkcs1 =
    "93499f44ea6d8e01bbdb8cf3c678dc4264bbef099b9a00156d8e72c7177365115408913bfea7fb63"
    + "c941deda7310eb6b996bb8be9efb044b1b35830a81e1688d8a24c2eafcac24af655dbfad2110dd90"
    + "624fd115584863979b2d7c31b0a8b293e47c7e327e3181c6e431cb5fc4d01bc28025787504bc6ba6"
    + "64952ef6e0a64752f1ef75e22b8b0a3710ed7a43791d8346afbccb1b64c06d52b8d24c08036fc041"
    + "496ca9acc150312046c5e635404d3b1b9a378e7aef932cc2c7f31db117440853bfdb1f66ea21bbfe"
    + "20fa83c914db893acc2c888f38c2a0bdada99d26f36886812238013e67864e621487218e68197f89"
    + "db581c0e4b80eb0eb8a3abaf6c843ddb"
  static let pssWithSHA1Mask =
    "4ba574b280ff56d97d41b18161b35fedfd41d1b7645b81856adc9ca9098bae6c438be843334c46fd"
    + "b1097058d772329920bb6c3d408bcbb9e8529b851f78114a6dcbfdb2800fd0c61eed29568dbad1d3"
    + "791b60a96ab4ce55dff36c31ca1f1166388fa05ff232610ddfd5894c8cc0a9be1aafa4c8a0e6c435"
    + "6bac2d0cf5171f9b2b9483cd45d752cb6b5d2f4d96c87d6281413e3586b0edd690872699c3818a1b"
    + "bbeac51a663014c6ec9ca3580259f2e8a9cf5a933f1c2a60832e51b438d0365a25e8b6b5d1601652"
    + "2039f662c7ac8d9fff30f608d42a75a923f4d38fd571e082fc1ad64b055cb9013c6dab7f47c1bee0"
    + "8c0f52774f87cffa8e9407bd693e2685"
  static let pssWithSHA384 =
    "163b1364d3ca8d500890928eaa419ee5c3216e381ae90677cba896fa82a9d920f2b5ad2f2408a14b"
    + "e7a1c60119d697b9fa97a3e8d714fd2998496162c51ba360b97898861ea88f1cc9c33d9bac9efe3d"
    + "aa2aaac77f2ab4223960b8fd7dfc5f6d83267eb1f149076c8a66d2e6b20d384950cc04359bab8f2f"
    + "d59f0f2aed5d794d67f6a9d547c471f2dc49fd1cc12e6bf99a15a1cc20d4587e70fd7fee39a78090"
    + "05d738604bd6ec73a11c8474976fa6a968c5165fb48a30c3c8c0dcef2cf0c53dfd2b131c4dbf6efa"
    + "73f25f5dba14d3194f104f1ab98e57c8c04dc7814e3d72b2440e9ccb86fdee91bd2a188297be1bd7"
    + "463c5ae7a867fc0d2d305568dd6b3363"

  // RSA keys that are not fit: 1024 bits, exponents 1 and 65536, and the kind that is tied to PSS.
  static let rsa1024Key = """
    -----BEGIN PUBLIC KEY-----
    MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDb+7kaZyCLLPiPmMFShs+CFz6J
    hq3bp0piePgnJfEZzJzVPr05OK/zfKFvYpt7sgQBatQIYSoMK4tpIOlcRgCMnywW
    GHHoRTBGcZu/9TCg45dKyPleHxId5/vmzGQffpSJrv6IChza2bJMy+i+JEKr7BEC
    eFipvEEMLwzNFIKkEQIDAQAB
    -----END PUBLIC KEY-----
    """
  static let rsaExponent1Key = """
    -----BEGIN PUBLIC KEY-----
    MIIBIDANBgkqhkiG9w0BAQEFAAOCAQ0AMIIBCAKCAQEAnVegUYqKYWPBaZsd1Xqk
    cA68ji5ccqqrDYwR8vaI7DiiyGtaIj8ssspUg4d3kQlmid8prjXqrJhnn6AOlyKx
    FNV9fij6OXPcfvKUnIMbaG62FLfteGj2bYrGMMTK18ehNVlfNj3hln0u46pbXnn2
    rTnVsMciiyRvQwhHlmoy55LufqwguRq/olPCE/xTMlAp7Yk2LHf4MU98f42/zC8h
    ZJ/XmK1z6mBdtof6p9S7KLVrOq7onp0Fe9GLANU84rewPELJcotpjntp0sVS9wJ1
    R7JYE0jX6HHGTLfjIYfoxeqP9V4mM/P2jPf2bb6jXj8DaL2aNpoNuZ7/KIsaBYXn
    XQIBAQ==
    -----END PUBLIC KEY-----
    """
  static let rsaEvenExponentKey = """
    -----BEGIN PUBLIC KEY-----
    MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnVegUYqKYWPBaZsd1Xqk
    cA68ji5ccqqrDYwR8vaI7DiiyGtaIj8ssspUg4d3kQlmid8prjXqrJhnn6AOlyKx
    FNV9fij6OXPcfvKUnIMbaG62FLfteGj2bYrGMMTK18ehNVlfNj3hln0u46pbXnn2
    rTnVsMciiyRvQwhHlmoy55LufqwguRq/olPCE/xTMlAp7Yk2LHf4MU98f42/zC8h
    ZJ/XmK1z6mBdtof6p9S7KLVrOq7onp0Fe9GLANU84rewPELJcotpjntp0sVS9wJ1
    R7JYE0jX6HHGTLfjIYfoxeqP9V4mM/P2jPf2bb6jXj8DaL2aNpoNuZ7/KIsaBYXn
    XQIDAQAA
    -----END PUBLIC KEY-----
    """
  static let rsaPSSKey = """
    -----BEGIN PUBLIC KEY-----
    MIIBIDALBgkqhkiG9w0BAQoDggEPADCCAQoCggEBAMKTTfm6KRlBUCyKZl1euvp5
    yiNiKTKZ9iSyfsdsqhXBulhubVO8/fo6QlLLj33hdZniB4upU48qsfSxLSdqeG2i
    eplDnG968B5NNorfz8f0YfXegX3mmIs7YZnJ1KPbVvz3e2/ESZO+WH/+mu1tdMUj
    8nj7KfiYQA5oGcSW1fiNohyZST9sKB2tAiDh1ts0d1Tpg8uWmf+64m0PKGPnOI56
    g3KLlVrJ3+/LWSICXHZpClBF1yea84o0ZtMLUJ/TQqkuD2/lKPSH19IooKGYypbH
    kolLmfeRL9P8tbhw3aUI5veYM+3QrkJA1UC5T2fpgenF9PRdk2G+Vebl25DAGhMC
    AwEAAQ==
    -----END PUBLIC KEY-----
    """
}
