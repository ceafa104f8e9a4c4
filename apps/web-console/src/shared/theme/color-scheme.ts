import { localStorageColorSchemeManager, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { ColorScheme } from './palette.ts'

/** Remembers the choice under the key that `public/color-scheme.js` reads before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'chancela-color-scheme' })

/** The current scheme, and a function to switch to the other one. */
export function useColorScheme(): { scheme: ColorScheme; other: ColorScheme; change: () => void } {
  // To stop transitions Mantine would insert an inline <style>, which the content security policy forbids.
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const other = scheme === 'light' ? 'dark' : 'light'
  return { scheme, other, change: () => setColorScheme(other) }
}
