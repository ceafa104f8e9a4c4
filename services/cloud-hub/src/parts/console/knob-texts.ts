// Knobs as command-line arguments: name=value.
import { StartupProblem } from '@chancela/service-kernel/errors'
import type { ProviderProtocol } from '../../contract/provider-knobs.ts'
import { describeKnobs, type KnobDescription, type KnobValue, type SomeKnobs } from '../../upstream/knobs.ts'

/** Parses the text of each kind of knob; undefined when it is invalid. */
const readings: Readonly<Record<KnobDescription['kind'], (text: string) => KnobValue | undefined>> = {
  choice: (text) => text,
  text: (text) => text,
  texts: (text) => text.split(',').map((part) => part.trim()),
  flag: (text) => ({ true: true, false: false })[text],
  count: (text) => (/^\d+$/.test(text) ? Number(text) : undefined),
}

/** The former knobs overlaid with the given ones; `name=` resets a knob to the preset. */
export function knobsFrom(protocol: ProviderProtocol, written: readonly string[], former: SomeKnobs = {}): SomeKnobs {
  const knobs: Record<string, KnobValue> = { ...former }
  for (const entry of written) {
    const [name = '', text = ''] = entry.split(/=(.*)/s)
    if (text === '') delete knobs[name]
    else knobs[name] = readKnob(protocol, name, text)
  }
  return knobs
}

function readKnob(protocol: ProviderProtocol, name: string, text: string): KnobValue {
  const knob = describeKnobs().find((one) => one.protocol === protocol && one.name === name)
  if (!knob) throw new StartupProblem(`Providers of the protocol ${protocol} have no knob ${name}.`)
  const value = readings[knob.kind](text)
  if (value === undefined) throw new StartupProblem(`The knob ${name} is a ${knob.kind}, and ${text} is none.`)
  return value
}
