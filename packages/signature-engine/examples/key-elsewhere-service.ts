import { constants, privateEncrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { openPkcs12 } from '@chancela/signature-engine/keys'

/** Stands for a cloud key or a token: it sees a digest and gives a signature (RSA PKCS#1 v1.5 over SHA-256). */
export async function keyElsewhere(algorithm: string, digest: Uint8Array): Promise<Uint8Array> {
  if (algorithm !== 'RSA-SHA256') throw new Error(`This key does not sign with ${algorithm}.`)
  const { privateKey } = await openPkcs12(await readFile('maria.p12'), 'segredo')
  const digestInfo = Buffer.concat([Buffer.from('3031300d060960864801650304020105000420', 'hex'), digest])
  return privateEncrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, digestInfo)
}
