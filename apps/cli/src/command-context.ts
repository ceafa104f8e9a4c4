import { resolve } from 'node:path'
import { type Clock, systemClock } from '@chancela/service-kernel/clock'
import {
  type AnyLoadedSettings,
  type KernelSettings,
  type LoadedSettings,
  loadSettings,
  type SettingsRule,
  type SettingsSchemas,
} from '@chancela/service-kernel/config'
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { ServiceDefinition } from '@chancela/service-kernel/service'
import { catalogue } from './catalogue.ts'
import { askSecretOnTerminal, printToOutput, progressOnTerminal } from './signatures/terminal.ts'

/** Dependencies of the commands: the services of this build, the environment and the terminal. */
export interface CommandContext {
  readonly services: readonly ServiceDefinition[]
  readonly version: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Results, for people and pipes. */
  readonly print: (text: string) => void
  /** Progress and problems. */
  readonly log: (text: string) => void
  /** Shows one line of progress, which each call overwrites; an empty line clears it. */
  readonly progress: (line: string) => void
  /** Asks for a secret without echoing it; undefined when no terminal is attached. */
  readonly askSecret: (question: string) => Promise<string | undefined>
  /** Resolves when the user or the system asks the program to stop. */
  readonly untilStopped: () => Promise<void>
  /** Called when services were stopped: the process has nothing left to do. */
  readonly onStopped: () => void
}

export const defaultContext: Omit<CommandContext, 'services' | 'version' | 'untilStopped'> = {
  environment: process.env,
  clock: systemClock,
  print: printToOutput,
  log: (text) => void process.stderr.write(`${text}\n`),
  progress: progressOnTerminal,
  askSecret: askSecretOnTerminal,
  onStopped: () => undefined,
}

/** Options every command takes. */
export interface CommonOptions {
  /** Settings file. */
  readonly config?: string
  /** Base folder of relative paths in the settings. */
  readonly data: string
}

export const dataFolderOf = ({ data }: CommonOptions): string => resolve(data)

export const schemasOf = (services: readonly ServiceDefinition[]): SettingsSchemas =>
  Object.fromEntries(services.map((service) => [service.name, service.settings]))

/** Rules over several settings, by service. A rule runs only on settings that its own schema has accepted. */
export const rulesOf = (services: readonly ServiceDefinition[]): Record<string, readonly SettingsRule<unknown>[]> =>
  Object.fromEntries(services.map(({ name, rules = [] }) => [name, rules as readonly SettingsRule<unknown>[]]))

/** Loads the settings of the chosen services, or throws every problem at once. */
export function settingsOf(
  context: CommandContext,
  chosen: readonly ServiceDefinition[],
  options: CommonOptions,
): LoadedSettings<SettingsSchemas> {
  const only = chosen.map((service) => service.name)
  const { environment } = context
  const { services } = context
  const rules = rulesOf(services)
  return loadSettings({ schemas: schemasOf(services), rules, only, file: options.config, environment })
}

/** The kernel's part of every service's settings; each schema includes it. */
export const kernelPart = ({ settings }: AnyLoadedSettings): Readonly<Record<string, KernelSettings>> =>
  settings as Readonly<Record<string, KernelSettings>>

/** The services a person named, by service or by base URL; all of them when none was named. */
export function chooseServices(
  services: readonly ServiceDefinition[],
  names: readonly string[],
): readonly ServiceDefinition[] {
  const unknown = names.filter((name) => !services.some((service) => answersTo(service, name)))
  if (unknown.length > 0) throw new StartupProblem(unknownServices(services, unknown))
  return names.length === 0 ? services : services.filter((one) => names.some((name) => answersTo(one, name)))
}

const answersTo = (service: ServiceDefinition, name: string) =>
  service.name === name || service.surfaces.some((surface) => surface.name === name)

function unknownServices(services: readonly ServiceDefinition[], unknown: readonly string[]): string {
  const planned = unknown.filter((name) => catalogue.some((entry) => entry.name === name))
  const verb = unknown.length === 1 ? 'is' : 'are'
  const why = planned.length === unknown.length ? `${verb} not part of this build yet` : `${verb} unknown`
  const available = services.map((service) => service.name).join(', ')
  return `${unknown.join(' and ')} ${why}; this build has ${available === '' ? 'no service' : available}.`
}
