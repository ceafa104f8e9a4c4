// The version of the agent that the server offers, as it said over the channel: whoever serves the package needs no trust.
import type { ServerMessage } from '@chancela/session-server/channel'
import { version as own } from '../version.ts'

type Welcome = Extract<ServerMessage, { readonly type: 'welcome' }>

export type Offer = NonNullable<Welcome['agent']>
export type OfferedPackage = Offer['packages'][number]

/** The offer where it is newer than what runs. */
export const newerOffer = (offer: Offer | undefined, running: string = own): Offer | undefined =>
  offer && isNewer(offer.version, running) ? offer : undefined

/** The package for a machine. */
export const packageFor = (
  { packages }: Offer,
  machine: string = `${process.platform}-${process.arch}`,
): OfferedPackage | undefined => packages.find(({ platform }) => platform === machine)

/** Semantic Versioning §11, but for the order of two versions before one release. */
function isNewer(offered: string, running: string): boolean {
  const [a, b] = [parts(offered), parts(running)]
  if (!a || !b) return false
  const at = a.numbers.findIndex((number, index) => number !== b.numbers[index])
  return at < 0 ? b.isBefore && !a.isBefore : a.numbers[at]! > b.numbers[at]!
}

function parts(version: string): { readonly numbers: readonly number[]; readonly isBefore: boolean } | undefined {
  const [, major, minor, patch, before] = version.match(/^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(-[\w.-]+)?$/) ?? []
  return major === undefined
    ? undefined
    : { numbers: [major, minor, patch].map(Number), isBefore: before !== undefined }
}
