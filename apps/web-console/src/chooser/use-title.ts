import { useEffect } from 'react'
import { useTexts } from './use-texts.ts'

/** Names the window. */
export function useTitle(title: string): void {
  const { product } = useTexts()
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
}
