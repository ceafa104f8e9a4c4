/** What a test signature begins with, before the nonce: no document and no signed attributes do. */
export const testSignaturePrefix = 'chancela test signature 1\n'
