import { describeSettings, printedSettings, printSettings } from '@chancela/service-kernel/config'
import { type CommandContext, type CommonOptions, chooseServices, schemasOf, settingsOf } from './command-context.ts'

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

/** `chancela config check`: prints only the verdict, with all problems at once. */
export function checkConfig(context: CommandContext, names: readonly string[], options: CommonOptions): void {
  const chosen = chooseServices(context.services, names)
  settingsOf(context, chosen, options)
  context.print(`The settings of ${chosen.map((service) => service.name).join(', ')} are right.`)
}

/** `chancela config reference`: every setting with its default and meaning, as Markdown. */
export function describeConfig(context: CommandContext, names: readonly string[]): void {
  context.print(describeSettings(schemasOf(chooseServices(context.services, names))).trimEnd())
}
