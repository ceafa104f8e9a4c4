/** The packages to measure, and their shares of the sample: those whose mistakes cost most get most. */
export const packages = [
  { name: 'signature-engine', folder: 'packages/signature-engine', share: 84 },
  { name: 'service-kernel', folder: 'packages/service-kernel', share: 36 },
  { name: 'outbox', folder: 'packages/outbox', share: 16 },
  { name: 'client', folder: 'packages/client', share: 20 },
  { name: 'testkit', folder: 'packages/testkit', share: 8 },
  { name: 'batch-signer', folder: 'services/batch-signer', share: 40 },
  { name: 'document-platform', folder: 'services/document-platform', share: 40 },
  { name: 'session-server', folder: 'services/session-server', share: 32 },
  { name: 'cloud-hub', folder: 'services/cloud-hub', share: 32 },
  { name: 'pki-core', folder: 'services/pki-core', share: 24 },
  { name: 'cli', folder: 'apps/cli', share: 14 },
  { name: 'workstation-agent', folder: 'apps/workstation-agent', share: 10 },
  { name: 'web-console', folder: 'apps/web-console', share: 28 },
] as const

export interface MeasuredPackage {
  readonly name: string
  readonly folder: string
  readonly share: number
}

/** How many mutants each package gets; the shares of all of them are the default sample. */
export function quotas(chosen: readonly MeasuredPackage[], sample: number): ReadonlyMap<MeasuredPackage, number> {
  const all = chosen.reduce((sum, { share }) => sum + share, 0)
  return new Map(chosen.map((one) => [one, Math.max(1, Math.round((sample * one.share) / all))]))
}

export const defaultSample = packages.reduce((sum, { share }) => sum + share, 0)
