import { requireArguments } from '../errors/arguments.ts'
import type { DigestSigner } from '../keys/digest-signer.ts'
import { openPdf } from '../pdf/pdf-file.ts'
import type { ContentTimestampOptions } from '../signing/content-timestamp.ts'
import type { Appearance } from './appearance.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { refusePades } from './errors.ts'
import { type ExtendPadesOptions, extendPades, requireHelpers } from './extend-pades.ts'
import { sizeOfField } from './field-widgets.ts'
import { drawAppearance, drawMark } from './lazy-appearance.ts'
import { partsOf } from './levels.ts'
import type { MarkTemplate } from './mark-template.ts'
import {
  type CompletePadesOptions,
  completePades,
  type PreparePadesOptions,
  prepareStampedPades,
} from './prepare-pades.ts'
import { seeded } from './seeded-options.ts'

/** How a PDF is signed in one step. */
export interface SignPadesOptions
  extends Omit<PreparePadesOptions, 'appearance'>,
    Pick<ExtendPadesOptions, 'timestamps' | 'judge' | 'artifacts' | 'signal'>,
    Pick<ContentTimestampOptions, 'contentTimestamp'>,
    CompletePadesOptions {
  /** Default invisible. */
  readonly appearance?: Appearance
  /**
   * The same as a template, filled in with the signer, the time, the reason and the place of the signature. In a field
   * that is there already it is as large as that.
   */
  readonly mark?: MarkTemplate
}

/** Signs a PDF at its level. Returns the document, or with `output: 'appended'` the bytes to append to it. */
export async function signPades(
  document: Uint8Array,
  signer: DigestSigner,
  options: SignPadesOptions,
): Promise<Buffer> {
  requireArguments('signPades', { document: [document, 'bytes'], signer: [signer, 'signer'] }, options, ['now'])
  const { appearance: _appearance, mark: _mark, level = 'B-B', chain = signer.chain, ...rest } = options
  requireHelpers({ ...options, level })
  const drawn = await pictureOf(document, signer, options)
  const isMore = partsOf(level).timestamp
  const prepared = await prepareStampedPades(document, signer.certificate, {
    ...rest,
    level,
    chain,
    ...(drawn && { appearance: drawn }),
    ...(isMore && { output: 'whole' as const }),
  })
  const signed = completePades(prepared.state, await signer.sign(prepared), options)
  if (!isMore) return signed
  const extended = await extendPades(signed, { ...options, level })
  // Every byte of the document stays, so the rest is what was appended.
  return options.output === 'appended' ? extended.subarray(document.length) : extended
}

async function pictureOf(
  document: Uint8Array,
  signer: DigestSigner,
  options: SignPadesOptions,
): Promise<DrawnAppearance | undefined> {
  const { appearance, mark, fieldName, now, location } = options
  const { certificate } = signer
  if (appearance && mark) throw refusePades('pades.appearance', { reason: 'there are both an appearance and a mark' })
  if (appearance) return drawAppearance(appearance)
  if (!mark) return undefined
  if (fieldName === undefined) return drawMark(mark, { certificate, now, location, reason: options.reason })
  const file = openPdf(document, options)
  const { appearance: _, ...rest } = options
  // What the field wishes is shown, too.
  const { reason } = seeded(file, certificate, { chain: signer.chain, ...rest })
  return drawMark(mark, { certificate, now, reason, location }, sizeOfField(file, fieldName))
}
