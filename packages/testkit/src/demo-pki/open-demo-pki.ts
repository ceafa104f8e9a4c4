import { StartupProblem } from '@chancela/service-kernel/errors'
import { createDemoPki, issueWhatIsMissing } from './create-demo-pki.ts'
import { demoHolders } from './declaration.ts'
import type { DemoPki, DemoPkiOptions } from './demo-pki.ts'
import { loadDemoPki, saveDemoPki } from './save-and-load.ts'

/** The PKI of the folder; created and saved the first time, completed when the declaration has grown since. */
export async function openDemoPki(folder: string, options: DemoPkiOptions): Promise<DemoPki> {
  const saved = await loadDemoPki(folder, options)
  const pki = saved ?? (await createDemoPki(options))
  const added = saved ? await issueWhatIsMissing(saved, options.keys) : 1
  if (added > 0) await saveDemoPki(pki, folder)
  refuseOutdated(pki, folder)
  return pki
}

/** A demo with expired holders would refuse their signatures without an obvious reason. */
function refuseOutdated(pki: DemoPki, folder: string): void {
  const expired = demoHolders.find(({ label }) => new Date(pki.certificate(label).x509.validTo) < pki.clock())
  if (!expired) return
  throw new StartupProblem(
    `The demo PKI in ${folder} is too old: the certificate of ${expired.name} has expired. Start with --fresh to make a new one.`,
  )
}
