import type { KernelSettings } from '../config/index.ts'
import { sectionOf } from './create-surface-app.ts'
import type { ServiceDefinition } from './definition.ts'
import { openCertificate } from './transport.ts'

/** Throws what a start would refuse of the certificates of a service; for `chancela config check`. */
export async function checkCertificates(
  { name, surfaces }: Pick<ServiceDefinition, 'name' | 'surfaces'>,
  settings: KernelSettings,
  dataFolder: string,
): Promise<void> {
  for (const surface of surfaces) await openCertificate(name, surface, sectionOf(settings, surface), dataFolder)
}
