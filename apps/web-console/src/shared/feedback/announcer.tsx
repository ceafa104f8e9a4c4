import { VisuallyHidden } from '@mantine/core'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const Announce = createContext<(message: string) => void>(() => {})

/** Announces a message through the page's single polite live region. */
export const useAnnouncer = () => useContext(Announce)

/** Holds the live region: one for the page, because a region that appears together with its text is often not read. */
export function Announcer({ children }: { children: ReactNode }) {
  const [{ message, count }, setSaid] = useState({ message: '', count: 0 })
  const announce = useCallback((text: string) => setSaid(({ count }) => ({ message: text, count: count + 1 })), [])
  return (
    <Announce value={announce}>
      {children}
      <VisuallyHidden role="status">
        {/* A new element each time, so that the same message is announced twice. */}
        <span key={count}>{message}</span>
      </VisuallyHidden>
    </Announce>
  )
}
