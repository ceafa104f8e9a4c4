import { Type } from 'typebox'
import { Value } from 'typebox/value'

const ofTransport = ['down', 'http-500', 'reset', 'late', 'garbage'] as const
const ofContent = ['wrong-signature', 'wrong-nonce', 'stale', 'try-later'] as const

/** Errors inside an otherwise good response; the code that makes the response puts them in. */
export type Flaw = (typeof ofContent)[number]

/** The possible faults of each part that is served. */
export const faultKinds = {
  /** Certificates of the authorities. */
  aia: [...ofTransport, 'wrong-signature'],
  /** Revocation lists at the first distribution point. */
  crl: [...ofTransport, 'wrong-signature', 'stale'],
  /** Revocation lists at the second distribution point, so that a client's fallback can fail too. */
  'crl-mirror': [...ofTransport, 'wrong-signature', 'stale'],
  ocsp: [...ofTransport, 'wrong-signature', 'wrong-nonce', 'stale', 'try-later'],
  tsa: [...ofTransport, 'wrong-signature', 'wrong-nonce', 'try-later'],
} as const satisfies Record<string, readonly ((typeof ofTransport)[number] | Flaw)[]>

export type FaultArea = keyof typeof faultKinds
export type FaultKind<Area extends FaultArea = FaultArea> = (typeof faultKinds)[Area][number]

export interface Fault<Area extends FaultArea = FaultArea> {
  readonly kind: FaultKind<Area>
  /** Delay of a 'late' response, in milliseconds; default 5,000. */
  readonly delayMs?: number
  /** For how many requests; default: until cleared. */
  readonly times?: number
}

export const isFaultArea = (area: string): area is FaultArea => Object.hasOwn(faultKinds, area)

export const flawIn = (fault: Fault | undefined): Flaw | undefined => ofContent.find((flaw) => flaw === fault?.kind)

const faultShape = Type.Object(
  {
    kind: Type.String(),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    times: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
)

/** Parses a fault of this area from JSON text, if it is valid. */
export function readFault<Area extends FaultArea>(area: Area, text: string): Fault<Area> | undefined {
  const fault = parsedJson(text)
  if (!Value.Check(faultShape, fault)) return undefined
  const kind = faultKinds[area].find((known) => known === fault.kind)
  return kind && { ...fault, kind }
}

/** The active faults. One per area; setting another replaces it. */
export class Faults {
  readonly #inForce = new Map<FaultArea, Fault>()

  set<Area extends FaultArea>(area: Area, fault: Fault<Area>): void {
    this.#inForce.set(area, fault)
  }

  /** Removes the fault of one area, or all. */
  clear(area?: FaultArea): void {
    if (area) this.#inForce.delete(area)
    else this.#inForce.clear()
  }

  list(): Partial<Record<FaultArea, Fault>> {
    return Object.fromEntries(this.#inForce)
  }

  /** The fault for this request, counted down. */
  take(area: FaultArea): Fault | undefined {
    const fault = this.#inForce.get(area)
    if (fault?.times !== undefined) this.#countDown(area, fault, fault.times)
    return fault
  }

  #countDown(area: FaultArea, fault: Fault, times: number): void {
    if (times <= 1) this.#inForce.delete(area)
    else this.#inForce.set(area, { ...fault, times: times - 1 })
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // invalid JSON is no fault
  }
}
