import { StartupProblem } from '@chancela/service-kernel/errors'
import { type RunningSuite, startSuite } from '@chancela/service-kernel/service'
import {
  type CommandContext,
  type CommonOptions,
  chooseServices,
  dataFolderOf,
  kernelPart,
  settingsOf,
} from './command-context.ts'
import { textTable } from './text-table.ts'

/** What runs it, as the build metadata of a version (Semantic Versioning §10): one question less in a report of a fault. */
const buildOf = ({ versions, platform, arch }: NodeJS.Process): string => `node-${versions.node}.${platform}-${arch}`

/** `chancela start`: runs the chosen services in this process until it is asked to stop. */
export async function startCommand(
  context: CommandContext,
  names: readonly string[],
  options: CommonOptions,
): Promise<void> {
  const chosen = chooseServices(context.services, names)
  if (chosen.length === 0) throw new StartupProblem('This build has no service to start yet.')
  const settings = kernelPart(settingsOf(context, chosen, options))
  const { clock, version } = context
  try {
    await run(context, await startSuite(chosen, settings, { clock, version, dataFolder: dataFolderOf(options) }))
  } finally {
    context.onStopped()
  }
}

async function run(context: CommandContext, suite: RunningSuite): Promise<void> {
  const rows = suite.services.flatMap(({ surfaces }) => surfaces.map((one) => [one.definition.name, one.baseUrl]))
  context.log(`Chancela ${context.version}+${buildOf(process)}`)
  context.log(textTable(['service', 'base URL'], rows))
  for (const { problem } of suite.services)
    if (problem !== undefined) context.log(`${problem} Until it is restarted the service answers, but does no work.`)
  for (const { warnings } of suite.services) for (const warning of warnings) context.log(warning)
  const problem = await Promise.race([context.untilStopped(), suite.gaveUp])
  context.log('Stopping: running requests are answered first …')
  await suite.stop()
  if (problem) throw problem
}
