import { anchorsOf, openTrustedList, readTrustedList } from '../../../trusted-lists/index.ts'
import { Certificate } from '../../../x509/certificate.ts'
import { ask, type Reader } from './reader.ts'

/** A trusted list: as data, as anchors, and with its signature. */
export const readAnyTrustedList: Reader = async (bytes, { beside: { signer } }, { recording: { now } }) => {
  ask(() => anchorsOf(readTrustedList(bytes)))
  await openTrustedList(bytes, { signers: [Certificate.read(signer!)], now, acceptOutdated: true })
  return undefined
}
