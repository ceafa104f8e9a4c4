// What a document that says to be PDF/A (ISO 19005) allows of what is added to it.
import { EngineError } from '../errors/engine-error.ts'
import { claimedLevel } from '../pdf/pdf-a-claim.ts'
import type { PdfView } from '../pdf/pdf-file.ts'
import { isArray, isDict, isStream, nameOf, type PdfStream } from '../pdf/pdf-object.ts'

export interface ArchivalRules {
  /** Part 1 §6.4 forbids transparency; later parts want an output intent for it (19005-2 §6.2.10). */
  readonly transparency: boolean
  /** The colours of its output intent; nothing where it has none, and every colour has to say what it means. */
  readonly outputColors: OutputColors | undefined
}

type OutputColors = 'RGB' | 'CMYK' | 'GRAY'

/** Undefined for a document that makes no such claim. */
export function archivalRules(view: PdfView): ArchivalRules | undefined {
  const part = archivalPart(view)
  if (part === undefined) return undefined
  const outputColors = outputColorsOf(view)
  return { transparency: part !== '1' && outputColors !== undefined, outputColors }
}

/** The part of ISO 19005 that a document says to follow. */
export function archivalPart(view: PdfView): string | undefined {
  const metadata = view.resolve(view.catalog().get('Metadata'))
  const packet = isStream(metadata) ? readable(view, metadata) : undefined
  return packet && claimedLevel(packet)?.part
}

function outputColorsOf(view: PdfView): OutputColors | undefined {
  const intents = view.resolve(view.catalog().get('OutputIntents'))
  for (const stored of isArray(intents) ? intents : []) {
    const intent = view.resolve(stored)
    if (!isDict(intent) || nameOf(view.resolve(intent.get('S'))) !== 'GTS_PDFA1') continue
    const profile = view.resolve(intent.get('DestOutputProfile'))
    if (isStream(profile)) return colorsOf(readable(view, profile))
  }
  return undefined
}

const spaces: Readonly<Record<string, OutputColors>> = { 'RGB ': 'RGB', CMYK: 'CMYK', GRAY: 'GRAY' }

/** ICC.1:2001-04 §6.1: the colour space of the data stands in the header. */
const colorsOf = (profile: Uint8Array = Buffer.alloc(0)): OutputColors | undefined =>
  spaces[Buffer.from(profile.subarray(16, 20)).toString('latin1')]

/** What cannot be read says nothing: it is no reason against a signature. */
function readable(view: PdfView, stream: PdfStream): Uint8Array | undefined {
  try {
    return view.decode(stream)
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}
