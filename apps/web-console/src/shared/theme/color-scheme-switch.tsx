import { Moon, Sun } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../icon-button.tsx'
import { useColorScheme } from './color-scheme.ts'

const icons = { light: Sun, dark: Moon }

/** Switches to the other colour scheme, which its icon and name show. */
export function ColorSchemeSwitch() {
  const { t } = useTranslation()
  const { other, change } = useColorScheme()
  return <IconButton icon={icons[other]} label={t(`colorScheme.${other}`)} onClick={change} />
}
