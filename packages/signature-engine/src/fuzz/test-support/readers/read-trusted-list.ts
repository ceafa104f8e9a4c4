import { anchorsOf, openTrustedList, readTrustedList } from '../../../trusted-lists/index.ts'
import { Certificate } from '../../../x509/certificate.ts'
import { ask, type Reader } from './reader.ts'

/** A trusted list: as data, as anchors, and with its signature. One that opens says what was signed. */
export const readAnyTrustedList: Reader = async (
  bytes,
  { bytes: signed, beside: { signer } },
  { recording: { now } },
) => {
  ask(() => anchorsOf(readTrustedList(bytes)))
  const list = await openTrustedList(bytes, { signers: [Certificate.read(signer!)], now, acceptOutdated: true })
  if (JSON.stringify(list) !== JSON.stringify(readTrustedList(signed))) throw new Error('a changed list was opened')
  return 'valid' as const
}
