// Providers: how each is reached, what differs from its protocol, and whether it answers.
import { Flag, Id, orNull, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { checkNames, type FindingCode, providerFindings } from './provider-findings.ts'
import { knobSchemas, type ProviderProtocol } from './provider-knobs.ts'
import { providerOperations } from './provider-operations.ts'

const tags = ['Providers']
const Protocol = Type.Enum(Object.keys(knobSchemas) as ProviderProtocol[])

/** A value of a knob; the knob says which of these kinds it takes. */
const KnobValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String())])

const Knobs = Type.Record(Type.String({ maxLength: 64 }), KnobValue, {
  description: 'What differs from the preset, by name; the presets tell which knobs there are.',
})

const Findings = Type.Array(
  Type.Object({
    code: Type.Enum(Object.keys(providerFindings) as FindingCode[]),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  }),
  { description: 'What was found, as codes with their facts: pages say it in the language of whoever reads.' },
)

const ProviderFailure = Type.Object({
  at: Text,
  operation: Type.Enum([...providerOperations], { description: 'What the hub asked for.' }),
  problem: Type.String({ description: 'What went wrong, as a code.' }),
  findings: Findings,
  text: Type.String({ description: 'The same in English, without secrets.' }),
})

export const Provider = Type.Object(
  {
    id: Id,
    serviceName: Type.String({ description: 'As clients read it.' }),
    provider: Type.String({ description: 'The company.' }),
    protocol: Protocol,
    preset: Type.String({ description: 'What it was made from.' }),
    endpoint: Text,
    badgeUrl: orNull(Text),
    clientId: Text,
    proxy: orNull(Type.String({ description: 'What it is reached through, without the password.' })),
    callbackUri: Type.String({ description: 'The redirect URI of the hub, to be registered at the provider.' }),
    knobs: Knobs,
    enabled: Type.Boolean({ description: 'A disabled one is left out of everything new; its sessions go on.' }),
    available: Type.Boolean({ description: 'False while it is left alone after failures.' }),
    lastFailure: orNull(ProviderFailure),
    createdAt: Text,
    updatedAt: Text,
  },
  { $id: 'Provider' },
)

const Knob = Type.Object(
  {
    name: Text,
    protocol: Protocol,
    kind: Type.Enum(['choice', 'flag', 'count', 'text', 'texts']),
    values: Type.Array(Text, { description: 'Of a choice or of a list; empty where any is taken.' }),
    default: orNull(KnobValue),
    description: Type.String({ description: 'One English sentence.' }),
  },
  { $id: 'Knob' },
)

const Preset = Type.Object(
  {
    name: Text,
    title: Text,
    protocol: Protocol,
    serviceName: Text,
    provider: Text,
    endpoint: Type.String({ description: 'Empty where everybody has an address of their own.' }),
    testEndpoint: orNull(Type.String({ description: 'The address of the provider for trials, where it has one.' })),
    knobs: Knobs,
  },
  { $id: 'ProviderPreset' },
)

const settings = {
  serviceName: Type.String({ minLength: 1, maxLength: 64, format: 'one-line' }),
  provider: Type.String({ minLength: 1, maxLength: 100 }),
  endpoint: Type.String({ minLength: 1, maxLength: 2048 }),
  badgeUrl: Type.Optional(orNull(Type.String({ maxLength: 2048 }))),
  clientId: Type.Optional(Type.String({ maxLength: 512, description: 'Empty until the hub is registered there.' })),
  proxy: Type.Optional(
    orNull(
      Type.String({
        maxLength: 2048,
        description:
          'What it is reached through: http://user:password@host:port, or https. The password is sealed, and stays where user and address do.',
      }),
    ),
  ),
  knobs: Type.Optional(Knobs),
  tlsKey: Type.Optional(
    Type.String({ maxLength: 32_768, description: 'Key of the knob clientCertificate, PEM; sealed like the secret.' }),
  ),
}

const Secret = Type.String({ maxLength: 4096, description: 'Sealed at once; nobody can read it again.' })

const settingRefusals = [
  'PROVIDER_NAME_INVALID',
  'PROVIDER_NAME_TAKEN',
  'PROVIDER_ENDPOINT_REFUSED',
  'PROVIDER_BADGE_REFUSED',
  'PROVIDER_PROXY_REFUSED',
  'PROVIDER_KNOBS_INVALID',
  'PROVIDER_TLS_KEY_INVALID',
] as const

export const listPresets = {
  method: 'GET',
  path: '/api/providers/presets',
  summary: 'What a provider may be made from, and which knobs there are.',
  tags,
  answer: Type.Object({ presets: Type.Array(Preset), knobs: Type.Array(Knob) }),
  access: 'providers.read',
} as const

export const listProviders = {
  method: 'GET',
  path: '/api/providers',
  summary: 'The providers in their order, never with their secrets.',
  tags,
  answer: Type.Array(Provider),
  access: 'providers.read',
} as const

export const createProvider = {
  method: 'POST',
  path: '/api/providers',
  summary: 'Adds a provider at the end of the list.',
  tags,
  body: Type.Object({
    preset: Type.String({ minLength: 1, maxLength: 64 }),
    ...settings,
    clientSecret: Type.Optional(Secret),
    enabled: Type.Optional(Flag),
  }),
  answer: Provider,
  access: 'providers.manage',
  refusals: ['PROVIDER_PRESET_UNKNOWN', ...settingRefusals],
} as const

export const updateProvider = {
  method: 'PUT',
  path: '/api/providers/{id}',
  summary: 'Changes a provider.',
  tags,
  body: Type.Object({
    ...settings,
    clientSecret: Type.Optional(
      Type.String({ minLength: 1, maxLength: 4096, description: 'Another secret; the present one stays without.' }),
    ),
  }),
  answer: Provider,
  access: 'providers.manage',
  refusals: ['PROVIDER_NOT_FOUND', ...settingRefusals],
} as const

export const switchProvider = {
  method: 'PUT',
  path: '/api/providers/{id}/enabled',
  summary: 'Enables a provider, or leaves it out of everything new.',
  tags,
  body: Type.Object({ enabled: Flag }),
  answer: Provider,
  access: 'providers.manage',
  refusals: ['PROVIDER_NOT_FOUND'],
} as const

export const orderProviders = {
  method: 'PUT',
  path: '/api/providers/order',
  summary: 'Puts the providers into another order, in which clients and users see them.',
  tags,
  body: Type.Object({
    ids: Type.Array(Id, { maxItems: 1000, description: 'Those left out come last, as they were.' }),
  }),
  answer: Type.Array(Provider),
  access: 'providers.manage',
  refusals: ['PROVIDER_NOT_FOUND'],
} as const

export const removeProvider = {
  method: 'DELETE',
  path: '/api/providers/{id}',
  summary: 'Removes a provider that no live session rests on.',
  tags,
  access: 'providers.manage',
  refusals: ['PROVIDER_NOT_FOUND', 'PROVIDER_IN_USE'],
} as const

export const testProvider = {
  method: 'POST',
  path: '/api/providers/{id}/test',
  summary: 'Tries what can be tried without a holder.',
  tags,
  answer: Type.Object({
    checks: Type.Array(Type.Object({ name: Type.Enum([...checkNames]), ok: Flag, findings: Findings, text: Text }), {
      description: 'One line for everything that was tried; the provider is well when all are.',
    }),
  }),
  access: 'providers.manage',
  refusals: ['PROVIDER_NOT_FOUND'],
} as const

export const registerAtProvider = {
  method: 'POST',
  path: '/api/providers/{id}/registration',
  summary: 'Registers this hub at a provider that takes registrations; client id and secret are kept.',
  tags,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 200, description: 'What holders read on the pages of the provider.' }),
    email: Type.String({ format: 'email', maxLength: 254, description: 'Whom the provider writes to.' }),
    comments: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  answer: Provider,
  access: 'providers.manage',
  refusals: ['PROVIDER_NOT_FOUND', 'PROVIDER_REGISTRATION_UNKNOWN', 'PROVIDER_REGISTRATION_FAILED'],
} as const
