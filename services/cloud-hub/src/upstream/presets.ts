// Known settings of the providers in Brazil and of the versions of CSC (cloud-hub facts 1.8): initial values, which the
// operator may change for each provider.
import type { ProviderProtocol } from '../contract/provider-knobs.ts'
import type { SomeKnobs } from './knobs.ts'

export interface Preset {
  readonly protocol: ProviderProtocol
  /** Default names of a provider created from it. */
  readonly serviceName: string
  readonly company: string
  /** Absent where the operator must give it: no URL is published, or it differs by deployment. */
  readonly endpoint?: string
  /** For testing, where there is one. */
  readonly stagingEndpoint?: string
  readonly knobs: SomeKnobs
}

/** Soluti runs two clouds, each with credentials of its own. */
const soluti: SomeKnobs = { hashEncoding: 'hex', clientTokenBody: 'json' }

/** Presets by name. */
export const presets = {
  birdid: {
    protocol: 'psc',
    serviceName: 'BirdID',
    company: 'Soluti',
    endpoint: 'https://api.birdid.com.br/v0',
    stagingEndpoint: 'https://apihom.birdid.com.br/v0',
    knobs: soluti,
  },
  vaultid: {
    protocol: 'psc',
    serviceName: 'VaultID',
    company: 'Soluti',
    endpoint: 'https://apicloudid.vaultid.com.br/v0',
    stagingEndpoint: 'https://apicloudid.hom.vaultid.com.br/v0',
    knobs: soluti,
  },
  vidaas: {
    protocol: 'psc',
    serviceName: 'VIDaaS',
    company: 'Valid',
    endpoint: 'https://certificado.vidaas.com.br/v0',
    stagingEndpoint: 'https://hml-certificado.vidaas.com.br/v0',
    knobs: {},
  },
  serproid: {
    protocol: 'psc',
    serviceName: 'SerproID',
    company: 'Serpro',
    endpoint: 'https://serproid.serpro.gov.br/oauth/v0/oauth',
    knobs: { maxHashesPerCall: 5, allowedDigests: ['SHA-256', 'SHA-512'] },
  },
  safeid: {
    protocol: 'psc',
    serviceName: 'SafeID',
    company: 'Safeweb',
    endpoint: 'https://pscsafeweb.safewebpss.com.br/Service/Microservice/OAuth/api/v0/oauth',
    knobs: { tokenBody: 'json', clientTokenBody: 'json' },
  },
  remoteid: { protocol: 'psc', serviceName: 'RemoteID', company: 'Certisign', knobs: {} },
  dscloud: { protocol: 'psc', serviceName: 'DSCloud', company: 'DigitalSign', knobs: {} },
  syngular: { protocol: 'psc', serviceName: 'SyngularID', company: 'Syngular', knobs: {} },
  'generic-psc': { protocol: 'psc', serviceName: 'PSC', company: 'PSC', knobs: {} },
  'csc-1.0.4': { protocol: 'csc', serviceName: 'CSC', company: 'CSC', knobs: { version: '1.0.4' } },
  'csc-2.0': { protocol: 'csc', serviceName: 'CSC', company: 'CSC', knobs: { version: '2.0' } },
  'csc-2.2': { protocol: 'csc', serviceName: 'CSC', company: 'CSC', knobs: { version: '2.2' } },
} as const satisfies Readonly<Record<string, Preset>>

/** The preset of this name, if there is one. */
export const presetOf = (name: string): Preset | undefined =>
  Object.hasOwn(presets, name) ? presets[name as keyof typeof presets] : undefined
