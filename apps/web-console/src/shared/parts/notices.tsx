import { CircleCheck, X } from 'lucide-react'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnnouncer } from '../feedback/announcer.tsx'
import { IconButton } from '../icon-button.tsx'
import classes from './parts.module.css'
import { ProblemNote } from './problem-note.tsx'

type Notice = { kind: 'done'; text: string } | { kind: 'failed'; error: unknown }

interface Notices {
  /** Shows that an action succeeded. */
  done: (text: string) => void
  /** Shows why an action failed. */
  failed: (error: unknown) => void
}

const Context = createContext<Notices>({ done: () => {}, failed: () => {} })

/** Shows the results of actions, in one place of the page. */
export const useNotices = () => useContext(Context)

/** Holds the latest notice, above the page, until it is dismissed or replaced by the next. */
export function NoticesProvider({ children }: { children: (notice: ReactNode) => ReactNode }) {
  const { t } = useTranslation()
  const announce = useAnnouncer()
  const [notice, setNotice] = useState<Notice>()
  const done = useCallback(
    (text: string) => {
      setNotice({ kind: 'done', text })
      announce(text)
    },
    [announce],
  )
  const failed = useCallback((error: unknown) => setNotice({ kind: 'failed', error }), [])
  const notices = useMemo(() => ({ done, failed }), [done, failed])
  const shown = notice && (
    <div className={classes.notice}>
      {notice.kind === 'done' ? (
        <p className={classes.noticeDone}>
          <CircleCheck size={18} aria-hidden="true" /> {notice.text}
        </p>
      ) : (
        <ProblemNote error={notice.error} />
      )}
      <IconButton icon={X} label={t('dialog.dismiss')} onClick={() => setNotice(undefined)} />
    </div>
  )
  return <Context value={notices}>{children(shown)}</Context>
}
