import { requireArguments } from '../errors/arguments.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import type { ContentTimestampOptions } from '../signing/content-timestamp.ts'
import type { Appearance } from './appearance.ts'
import { type ExtendPadesOptions, extendPades, requireHelpers } from './extend-pades.ts'
import { drawAppearance } from './lazy-appearance.ts'
import { partsOf } from './levels.ts'
import {
  type CompletePadesOptions,
  completePades,
  type PreparePadesOptions,
  prepareStampedPades,
} from './prepare-pades.ts'

/** How a PDF is signed in one step. */
export interface SignPadesOptions
  extends Omit<PreparePadesOptions, 'appearance'>,
    Pick<ExtendPadesOptions, 'timestamps' | 'judge' | 'artifacts' | 'signal'>,
    Pick<ContentTimestampOptions, 'contentTimestamp'>,
    CompletePadesOptions {
  /** Default invisible. */
  readonly appearance?: Appearance
}

/** Signs a PDF at its level. Returns the document, or with `output: 'appended'` the bytes to append to it. */
export async function signPades(
  document: Uint8Array,
  signer: DigestSigner,
  options: SignPadesOptions,
): Promise<Buffer> {
  requireArguments('signPades', { document: [document, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  const { appearance, level = 'B-B', chain = signer.chain, ...rest } = options
  requireHelpers({ ...options, level })
  const isMore = partsOf(level).timestamp
  const prepared = await prepareStampedPades(document, signer.certificate, {
    ...rest,
    level,
    chain,
    ...(appearance && { appearance: await drawAppearance(appearance) }),
    ...(isMore && { output: 'whole' as const }),
  })
  const signed = completePades(prepared.state, await signer.sign(prepared), options)
  if (!isMore) return signed
  const extended = await extendPades(signed, { ...options, level })
  // Every byte of the document stays, so the rest is what was appended.
  return options.output === 'appended' ? extended.subarray(document.length) : extended
}
