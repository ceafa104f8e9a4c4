import type { Knob, KnobValues, NewProvider, Preset, Provider, ProviderChange } from '../api/types.ts'
import { linesIn } from '../applications/lines-in.ts'

/** State of a provider's form. */
export interface ProviderDraft {
  readonly serviceName: string
  readonly provider: string
  readonly endpoint: string
  readonly badgeUrl: string
  readonly clientId: string
  /** Shown without its password, which stays until another is typed. */
  readonly proxy: string
  /** Empty keeps the stored secret. */
  readonly clientSecret: string
  /** The same for the key of a TLS certificate. */
  readonly tlsKey: string
  /** Typed text by knob; empty where the preset decides. */
  readonly knobs: Readonly<Record<string, string>>
}

/** The initial form of a provider made from a preset. */
export const draftOfPreset = ({ serviceName, provider, endpoint }: Preset): ProviderDraft => ({
  serviceName,
  provider,
  endpoint,
  badgeUrl: '',
  clientId: '',
  proxy: '',
  clientSecret: '',
  tlsKey: '',
  knobs: {},
})

export const draftOf = ({
  serviceName,
  provider,
  endpoint,
  badgeUrl,
  clientId,
  proxy,
  knobs,
}: Provider): ProviderDraft => ({
  serviceName,
  provider,
  endpoint,
  badgeUrl: badgeUrl ?? '',
  clientId,
  proxy: proxy ?? '',
  clientSecret: '',
  tlsKey: '',
  knobs: Object.fromEntries(Object.entries(knobs).map(([name, value]) => [name, asText(value)])),
})

type KnobValue = KnobValues[string]

/** A value as text: lists are one per line. */
export const asText = (value: KnobValue | null | undefined): string =>
  Array.isArray(value) ? value.join('\n') : String(value ?? '')

const readers: Readonly<Record<Knob['kind'], (text: string) => KnobValue>> = {
  choice: (text) => text,
  flag: (text) => text === 'true',
  count: Number,
  text: (text) => text.trim(),
  texts: (text) => [...linesIn(text)],
}

/** Whether a text is valid for the knob; the service checks the rest. */
export const isKnobText = ({ kind }: Knob, text: string): boolean =>
  kind !== 'count' || text === '' || /^[1-9]\d*$/.test(text)

/** The knobs that differ from the preset: typed ones, and unchanged those this page does not know. */
export function knobsFrom(typed: ProviderDraft['knobs'], known: readonly Knob[], former: KnobValues): KnobValues {
  const unknown = Object.entries(former).filter(([name]) => !known.some((knob) => knob.name === name))
  const set = known
    .filter(({ name }) => (typed[name] ?? '').trim() !== '')
    .map(({ name, kind }) => [name, readers[kind](typed[name]!)] as const)
  return Object.fromEntries([...unknown, ...set])
}

/** The request body; `known` are the knobs of the provider's protocol. */
export const asChange = (draft: ProviderDraft, known: readonly Knob[], former: KnobValues = {}): ProviderChange => ({
  serviceName: draft.serviceName.trim(),
  provider: draft.provider.trim(),
  endpoint: draft.endpoint.trim(),
  badgeUrl: draft.badgeUrl.trim() || null,
  clientId: draft.clientId.trim(),
  proxy: draft.proxy.trim() || null,
  ...(draft.clientSecret !== '' && { clientSecret: draft.clientSecret }),
  ...(draft.tlsKey.trim() !== '' && { tlsKey: draft.tlsKey }),
  knobs: knobsFrom(draft.knobs, known, former),
})

export const asNew = (preset: string, draft: ProviderDraft, known: readonly Knob[]): NewProvider => ({
  preset,
  ...asChange(draft, known),
})
