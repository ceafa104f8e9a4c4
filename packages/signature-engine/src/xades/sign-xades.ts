import { requireArguments } from '../errors/arguments.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import type { ContentTimestampOptions } from '../signing/content-timestamp.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { extendXades, needsExtending, requireDependencies } from './extend-xades.ts'
import { locateElement, type Place, type Position, type XPathPlace } from './place.ts'
import { completeXades, type PrepareXadesOptions, prepareStampedXades } from './prepare-xades.ts'
import type { FurtherContent } from './signed-contents.ts'

export interface SignXadesOptions
  extends PrepareXadesOptions<Place | XPathPlace>,
    Pick<ContentTimestampOptions, 'contentTimestamp'> {
  /** Levels above B-B and AD-RB need it. */
  readonly timestamps?: TimestampClient
  /** Levels above B-T and AD-RT need it. */
  readonly judge?: Judge
}

/** Signs a document and brings the signature to the level asked for. */
export async function signXades(
  document: Uint8Array,
  signer: DigestSigner,
  options: SignXadesOptions,
): Promise<Buffer> {
  requireArguments('signXades', { document: [document, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  const { level = 'B-B', timestamps, judge, target, position, also, ...rest } = options
  if (needsExtending(level)) requireDependencies(level, timestamps, judge)
  const request = await prepareStampedXades(document, signer.certificate, {
    ...rest,
    level,
    timestamps,
    chain: options.chain ?? signer.chain,
    ...(target && { target: await located(document, target) }),
    ...(position && { position: await locatedPosition(document, position) }),
    ...(also && { also: await Promise.all(also.map((further) => locatedContent(document, further))) }),
  })
  const signed = completeXades(request.state, await signer.sign(request))
  if (!needsExtending(level)) return signed
  return extendXades(signed, {
    level,
    timestamps: timestamps!,
    now: options.now,
    signature: request.state.data.id,
    content: document,
    contents: Object.fromEntries((also ?? []).flatMap((one) => ('uri' in one ? [[one.uri, one.content]] : []))),
    ...(judge && { judge }),
    ...(options.digest && { digest: options.digest }),
  })
}

const located = async (document: Uint8Array, place: Place | XPathPlace): Promise<Place> =>
  'xpath' in place ? locateElement(document, place.xpath, place.namespaces) : place

const locatedContent = async (
  document: Uint8Array,
  further: FurtherContent<Place | XPathPlace>,
): Promise<FurtherContent> =>
  'target' in further ? { ...further, target: await located(document, further.target) } : further

async function locatedPosition(document: Uint8Array, { at, of }: Position<Place | XPathPlace>): Promise<Position> {
  return of === undefined ? { at } : { at, of: await located(document, of) }
}
