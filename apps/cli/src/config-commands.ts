import { existsSync } from 'node:fs'
import { describeSettings, printedSettings, printSettings } from '@chancela/service-kernel/config'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { createLogger } from '@chancela/service-kernel/http'
import { checkCertificates, type StatefulService } from '@chancela/service-kernel/service'
import { type Store, storeFile } from '@chancela/service-kernel/store'
import {
  type CommandContext,
  type CommonOptions,
  chooseServices,
  dataFolderOf,
  kernelPart,
  schemasOf,
  settingsOf,
} from './command-context.ts'
import { withStore } from './with-store.ts'

/** `chancela config print`: the effective values and where each comes from, without secrets. */
export function printConfig(
  context: CommandContext,
  names: readonly string[],
  options: CommonOptions & { json?: boolean },
): void {
  const schemas = schemasOf(context.services)
  const loaded = settingsOf(context, chooseServices(context.services, names), options)
  const text = options.json
    ? JSON.stringify(printedSettings(schemas, loaded), null, 2)
    : printSettings(schemas, loaded).trimEnd()
  context.print(text)
}

/** `chancela config check`: prints only the verdict, with all problems at once; what passes, `start` does not refuse. */
export async function checkConfig(
  context: CommandContext,
  names: readonly string[],
  options: CommonOptions,
): Promise<void> {
  const chosen = chooseServices(context.services, names)
  const loaded = settingsOf(context, chosen, options)
  const problems: string[] = []
  for (const service of chosen) {
    const certificates = checkCertificates(service, kernelPart(loaded)[service.name]!, dataFolderOf(options))
    problems.push(...(await problemIn(certificates)))
    if (service.migrations)
      problems.push(...(await problemsOf(context, service, loaded.settings[service.name], options)))
  }
  if (problems.length > 0) throw new StartupProblem(problems.join('\n'))
  context.print(`The settings of ${chosen.map((service) => service.name).join(', ')} are right.`)
}

async function problemsOf(
  context: CommandContext,
  service: StatefulService,
  settings: unknown,
  options: CommonOptions,
): Promise<readonly string[]> {
  const { clock } = context
  const logger = createLogger({ service: service.name, level: 'silent' })
  const dataFolder = dataFolderOf(options)
  const peeking = <T>(read: (store: Store<unknown>) => Promise<T>) => peek(context, service, options, read)
  return problemIn(service.check?.({ settings, dataFolder, logger, clock, peek: peeking }))
}

/** The sentence of a check that refuses. */
async function problemIn(check: Promise<void> | undefined): Promise<readonly string[]> {
  try {
    await check
    return []
  } catch (error) {
    if (!(error instanceof StartupProblem)) throw error
    return [error.message]
  }
}

/** A check must not make a database, and one that does not answer is not its business: the start waits for it. */
async function peek<T>(
  context: CommandContext,
  service: StatefulService,
  options: CommonOptions,
  read: (store: Store<unknown>) => Promise<T>,
): Promise<T | undefined> {
  const { Database } = kernelPart(settingsOf(context, [service], options))[service.name]!
  const file = storeFile({ url: Database.Url, dataFolder: dataFolderOf(options) })
  if (file !== undefined && !existsSync(file)) return undefined
  return withStore(context, service, options, ({ store }) => read(store)).catch(() => undefined)
}

/** `chancela config reference`: every setting with its default and meaning, as Markdown. */
export function describeConfig(context: CommandContext, names: readonly string[]): void {
  context.print(describeSettings(schemasOf(chooseServices(context.services, names))).trimEnd())
}
