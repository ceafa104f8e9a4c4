import { digest } from '../crypto/digest.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import {
  type ContentTimestampOptions,
  contentTimestampsOf,
  requireContentTimestamp,
} from '../signing/content-timestamp.ts'
import type { Prepared } from '../signing/signing-state.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { extendJades, requireHelpers } from './extend-jades.ts'
import { readJws } from './jws.ts'
import {
  completeJades,
  type FurtherJadesOptions,
  type JadesOptions,
  type JadesStateData,
  prepareJades,
  prepareJadesSignature,
  stampedContent,
} from './prepare-jades.ts'

/** What levels above the basic one and content timestamps need. */
export interface JadesHelpers extends Pick<ContentTimestampOptions, 'contentTimestamp'> {
  readonly timestamps?: TimestampClient
  readonly judge?: Judge
}

/** Signs content at the requested level. */
export async function signJades(
  content: Uint8Array,
  signer: DigestSigner,
  options: JadesOptions & JadesHelpers,
): Promise<Buffer> {
  requireArguments('signJades', { content: [content, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  requireHelpers(options.level ?? 'B-B', options)
  const stamps = await stampsOver(() => stampedContent(content, options), options)
  const prepared = prepareJades(content, signer.certificate, { chain: signer.chain, ...options, ...stamps })
  const contents = Object.fromEntries((options.further ?? []).map((one) => [one.uri, one.content]))
  return finished(prepared, signer, options, { content, contents })
}

/** Adds a signature over the content of a JWS; the existing ones keep every character. */
export async function addJadesSignature(
  existing: Uint8Array,
  signer: DigestSigner,
  options: FurtherJadesOptions & JadesHelpers,
): Promise<Buffer> {
  requireArguments('addJadesSignature', { existing: [existing, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  requireHelpers(options.level ?? 'B-B', options)
  const stamps = await stampsOver(() => Buffer.from(readJws(existing).payload ?? '', 'utf8'), options)
  const prepared = prepareJadesSignature(existing, signer.certificate, { chain: signer.chain, ...options, ...stamps })
  return finished(prepared, signer, options, {})
}

function stampsOver(content: () => Uint8Array, options: ContentTimestampOptions) {
  requireContentTimestamp(options)
  return contentTimestampsOf('sha256', () => digest('sha256', content()), options)
}

async function finished(
  prepared: Prepared<JadesStateData>,
  signer: DigestSigner,
  { level = 'B-B', now, timestamps, judge }: Pick<JadesOptions, 'level' | 'now'> & JadesHelpers,
  outside: { readonly content?: Uint8Array; readonly contents?: Readonly<Record<string, Uint8Array>> },
): Promise<Buffer> {
  const file = completeJades(prepared.state, await signer.sign(prepared))
  if (level === 'B-B') return file
  const signature = readJws(file).signatures.length - 1
  return extendJades(file, { ...outside, level, now, signature, timestamps: timestamps!, ...(judge && { judge }) })
}
