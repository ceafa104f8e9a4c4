import { type Restored, type RestoreOptions, restoreBatchSigner } from '@chancela/batch-signer/restore'
import { StartupProblem } from '@chancela/service-kernel/errors'
import {
  type CommandContext,
  type CommonOptions,
  chooseServices,
  dataFolderOf,
  kernelPart,
  settingsOf,
} from './command-context.ts'

/** The services whose embedded store this program restores. */
const restorers: Readonly<Record<string, (options: RestoreOptions) => Promise<Restored>>> = {
  'batch-signer': restoreBatchSigner,
}

/** `chancela restore --service <name> --from <file>`: replaces the store of a stopped service with a backup. */
export async function restoreCommand(
  context: CommandContext,
  options: CommonOptions & { readonly service: string; readonly from: string },
): Promise<void> {
  const [service] = chooseServices(context.services, [options.service])
  const restore = restorers[service?.name ?? '']
  if (!service || !restore) throw new StartupProblem(`${options.service} makes no backups of its own.`)
  const databaseUrl = kernelPart(settingsOf(context, [service], options))[service.name]!.Database.Url
  const { file, keptAside, nextSteps } = await restore({
    databaseUrl,
    dataFolder: dataFolderOf(options),
    from: options.from,
    now: context.clock(),
  })
  context.print(`${service.name}: restored ${file} from ${options.from}.`)
  if (keptAside !== undefined) context.print(`What was there before is ${keptAside}.`)
  context.log(['Next:', ...nextSteps.map((step, index) => `  ${index + 1}. ${step}`)].join('\n'))
}
