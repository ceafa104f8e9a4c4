import { useTranslation } from 'react-i18next'
import type { Preset } from '../api/types.ts'

/** Presets of no provider are named after their protocol, and have a version of it. */
const CSC = /^csc-(.+)$/

/** What a preset is, in words; those of providers have their names. */
export function usePresetName(): (preset: Pick<Preset, 'name' | 'title'>) => string {
  const { t } = useTranslation('hub-providers')
  return ({ name, title }) => {
    const version = CSC.exec(name)?.[1]
    if (version !== undefined) return t('form.presetNames.csc', { version })
    return name === 'generic-psc' ? t('form.presetNames.genericPsc') : title
  }
}
