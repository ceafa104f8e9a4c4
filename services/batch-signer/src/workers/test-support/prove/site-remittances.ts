import { buildRemittance } from '@chancela/testkit/samples'
import { type SiteFile, wholeFile } from './site-files.ts'

type Made = { readonly file: SiteFile; readonly bytes: Buffer }

/** Later than any clock of a world. */
const LATER = '2045-01-16'
const EARLIER = '2020-01-16'

const remittanceOf = (number: number, paymentDate: string): Buffer =>
  buildRemittance({ fileSequence: number, payments: [{ amountCentavos: 100 + number, paymentDate }] })

/** The sum of the batch no longer is that of its payments. */
function withFault(bytes: Buffer): Buffer {
  const records = bytes.toString('latin1').split('\r\n')
  const trailer = records.length - 3
  records[trailer] = `${records[trailer]!.slice(0, 17)}000099${records[trailer]!.slice(23)}`
  return Buffer.from(records.join('\r\n'), 'latin1')
}

const made = (number: number, kind: string, bytes: Buffer, more: Partial<SiteFile>): Made => ({
  file: wholeFile(number, `${kind}-${number}.rem`, bytes, more),
  bytes,
})

const never = 'signed though refused'

/** Remittances as the profile with the checks gets them: one that passes, and two that never may. */
export const remittances = {
  good: (number: number, folder: SiteFile['folder']): Made =>
    made(number, 'good', remittanceOf(number, LATER), { folder }),
  faulty: (number: number, folder: SiteFile['folder']): Made =>
    made(number, 'faulty', withFault(remittanceOf(number, LATER)), { folder, never }),
  outdated: (number: number, folder: SiteFile['folder']): Made =>
    made(number, 'outdated', remittanceOf(number, EARLIER), { folder, never }),
} as const
