// Knobs as stored (set by the operator) and as effective (over the preset, over the defaults).
import Type, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type CscKnobs, knobSchemas, type ProviderProtocol, type PscKnobs } from '../contract/provider-knobs.ts'

/** The knobs of a protocol. */
export type KnobsOf<Protocol extends ProviderProtocol> = Protocol extends 'psc' ? PscKnobs : CscKnobs

/** Some knobs of a protocol. */
export type SomeKnobs = Readonly<Record<string, KnobValue>>

export type KnobValue = string | number | boolean | readonly string[]

const strict = { additionalProperties: false }

const someSchemas = {
  psc: Type.Partial(knobSchemas.psc, strict),
  csc: Type.Partial(knobSchemas.csc, strict),
} as const

/** Why these are not valid knobs of the protocol, one line each; empty when valid. */
export const knobProblems = (protocol: ProviderProtocol, knobs: Readonly<Record<string, unknown>>): readonly string[] =>
  Value.Errors(someSchemas[protocol], knobs).map(({ instancePath, message }) =>
    `${instancePath.slice(1).replaceAll('/', '.')} ${message}`.trim(),
  )

/** The effective knobs: the operator's over those of the preset, and the defaults for the rest. */
export function knobsOf<Protocol extends ProviderProtocol>(
  protocol: Protocol,
  ...layers: readonly SomeKnobs[]
): KnobsOf<Protocol> {
  const knobs = Value.Default(knobSchemas[protocol], Object.assign({}, ...layers))
  if (!Value.Check(knobSchemas[protocol], knobs)) throw new UnreadableKnobs()
  return knobs as KnobsOf<Protocol>
}

/** A row has knobs this version does not know. */
class UnreadableKnobs extends Error {
  override readonly name = 'UnreadableKnobs'
  override readonly message = 'The knobs of the provider are not those of its protocol.'
}

/** The pairs of a knob that lists `name=value`. */
export const pairsOf = (entries: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]))

/** A knob as a page shows it. */
export interface KnobDescription {
  readonly name: string
  readonly protocol: ProviderProtocol
  readonly kind: 'choice' | 'flag' | 'count' | 'text' | 'texts'
  /** Of a choice, or of the members of a list. */
  readonly values: readonly string[]
  readonly default: KnobValue | null
  readonly description: string
}

/** Every knob. */
export const describeKnobs = (): readonly KnobDescription[] =>
  (Object.keys(knobSchemas) as ProviderProtocol[]).flatMap((protocol) =>
    Object.entries(knobSchemas[protocol].properties).map(([name, schema]) => describe(protocol, name, schema)),
  )

const kinds: Readonly<Record<string, KnobDescription['kind']>> = {
  boolean: 'flag',
  integer: 'count',
  string: 'text',
  array: 'texts',
}

interface KnobSchema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: { readonly enum?: readonly string[] }
  readonly default?: KnobValue
  readonly description?: string
}

function describe(protocol: ProviderProtocol, name: string, schema: TSchema): KnobDescription {
  const { type = '', enum: values, items, default: value = null, description = '' } = schema as KnobSchema
  const kind = values ? 'choice' : kinds[type]!
  return { name, protocol, kind, values: values ?? items?.enum ?? [], default: value, description }
}
