import type { Publication, Signatory } from './contents/degree-tags.ts'
import { RepresentationProblem } from './errors.ts'

/** What a representation is drawn from. */
export interface RepresentationInput<Data> extends Publication {
  /** Default: the one of the suite. */
  readonly template?: unknown
  readonly data: Data
  /** The people whose names stand on the page; default none. */
  readonly signatories?: readonly Signatory[]
  /** When it is made; in the file as its date. */
  readonly madeAt: Date
  /** Whether the page says that it is no document. Default false. */
  readonly isPreview?: boolean
}

/** The layouts allow no longer address. */
const MAX_ADDRESS = 255

/** The code and the address that a page shows, checked: they are printed on paper, where nobody corrects them. */
export function checkedPublication({ code, url }: Publication): Publication {
  if (!/^[\w.-]{1,100}$/.test(code)) throw new RepresentationProblem('content.code', { value: code })
  if (url.length > MAX_ADDRESS) throw address(`it is longer than ${MAX_ADDRESS} characters`)
  if (!/^https:\/\/[^\s/]+\S*$/.test(url)) throw address('it is no https address')
  return { code, url }
}

const address = (reason: string) => new RepresentationProblem('content.address', { reason })
