import { EngineError } from '@chancela/signature-engine'
import { type Appearance, drawAppearance } from '@chancela/signature-engine/pades'
import { type Certificate, signerReport } from '@chancela/signature-engine/x509'
import type { Profile } from '../../rules/profile.ts'
import {
  filledLines,
  type LineValues,
  MAX_IMAGE_BYTES,
  signingDate,
  type VisibleSignature,
} from '../../rules/visible-signature.ts'

/** What a signature of the profile shows; undefined for an invisible one. */
export function visibleAppearance(
  { visible, signatureReason: reason, signatureLocation: location }: Profile,
  certificate: Certificate,
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): Appearance | undefined {
  if (visible === null) return undefined
  const { name, cpf, cnpj } = signerReport(certificate)
  return appearanceOf(visible, { name, cpf, cnpj, date: signingDate(now, timeZone), reason, location })
}

function appearanceOf(visible: VisibleSignature, values: LineValues): Appearance {
  const { page, corner, x, y, width, height, lines, image, border } = visible
  const filled = filledLines(lines, values)
  return {
    page: page === 'first' ? 1 : page,
    origin: corner,
    // A small page of one file is no reason to refuse it.
    beyond: 'moved',
    x,
    y,
    width,
    height,
    border,
    ...(filled.length > 0 && { lines: filled }),
    ...(image !== null && { image: Buffer.from(image, 'base64') }),
  }
}

const SAMPLE: LineValues = {
  name: 'Maria das Dores Albuquerque de Souza',
  cpf: '52998224725',
  cnpj: '11222333000181',
  date: '17/11/2026 19:08:23 -03:00',
  reason: 'A reason',
  location: 'São Paulo',
}

/** Why nothing could be drawn: tried out when the profile is saved, so that no file fails by it. */
export async function visibleProblems(
  visible: VisibleSignature | null,
): Promise<readonly { readonly field: 'visible'; readonly sentence: string }[]> {
  const sentence = visible === null ? undefined : await problemOf(visible)
  return sentence === undefined ? [] : [{ field: 'visible', sentence }]
}

async function problemOf(visible: VisibleSignature): Promise<string | undefined> {
  const { image, lines } = visible
  if (image === null && lines.length === 0) return 'A visible signature has a line or an image.'
  const bytes = image === null ? undefined : Buffer.from(image, 'base64')
  if (bytes && bytes.length > MAX_IMAGE_BYTES) return `The image has at most ${MAX_IMAGE_BYTES / 1024} KiB.`
  if (bytes && bytes.toString('base64') !== image) return 'The image is not base64.'
  try {
    await drawAppearance(appearanceOf(visible, SAMPLE))
    return undefined
  } catch (error) {
    if (error instanceof EngineError) return error.message
    throw error
  }
}
