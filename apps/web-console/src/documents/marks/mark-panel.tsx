import { Button } from '@mantine/core'
import { CircleCheck, Save, Stamp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnnouncer } from '../../shared/feedback/announcer.tsx'
import { IconButton } from '../../shared/icon-button.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { saveMarks } from '../api/marks-session.ts'
import type { MarksSessionPage } from '../api/types.ts'
import { postToParent } from '../participant/post-to-parent.ts'
import classes from './marks.module.css'
import { asData, type FileMark, onFile, type Place, signersAmong, withMark, withoutMark } from './session-marks.ts'

interface MarkPanelProps {
  session: MarksSessionPage
  marks: readonly FileMark[]
  /** The selected file. */
  fileId: string
  /** Where a new mark is placed; undefined until the page is loaded. */
  place: Place | undefined
  onMarks: (marks: readonly FileMark[]) => void
}

/** Adds marks, lists and saves them. */
export function MarkPanel({ session, marks, fileId, place, onMarks }: MarkPanelProps) {
  const { t } = useTranslation('documents-marks')
  const here = onFile(marks, fileId)
  return (
    <div className={classes.side}>
      <AddButtons session={session} place={place} onAdd={(signer) => onMarks(withMark(marks, place!, signer))} />
      <Panel title={t('list')}>
        {here.length === 0 && <p className={classes.quiet}>{t('none')}</p>}
        <ul className={classes.marks}>
          {here.map(({ id, participant, pageNumber }) => {
            const name = participant ?? t('anybody')
            return (
              <li key={id} className={classes.mark}>
                {t('on', { name, page: pageNumber })}
                <IconButton
                  icon={Trash2}
                  label={t('remove', { name })}
                  onClick={() => onMarks(withoutMark(marks, id))}
                />
              </li>
            )
          })}
        </ul>
      </Panel>
      <SaveButton sessionId={session.id} marks={marks} />
    </div>
  )
}

interface AddButtonsProps {
  session: MarksSessionPage
  place: Place | undefined
  onAdd: (signer: MarksSessionPage['participants'][number] | undefined) => void
}

/** One button for each signer; a single one where the session names no signer. */
function AddButtons({ session, place, onAdd }: AddButtonsProps) {
  const { t } = useTranslation('documents-marks')
  const signers = signersAmong(session.participants)
  const offered = signers.length === 0 ? [undefined] : signers
  return (
    <div className={classes.add}>
      {offered.map((signer, index) => (
        <Button
          // biome-ignore lint/suspicious/noArrayIndexKey: two signers may have one name, and their order never changes
          key={index}
          variant="default"
          disabled={!place}
          leftSection={<Stamp size={16} aria-hidden="true" />}
          onClick={() => onAdd(signer)}
        >
          {t('add', { name: signer?.name ?? t('anybody'), page: place?.page ?? 1 })}
        </Button>
      ))}
    </div>
  )
}

type Saving = { kind: 'busy' } | { kind: 'saved'; marks: readonly FileMark[] } | { kind: 'failed'; error: unknown }

/** Saves the marks, and notifies the embedding page. Nothing is refetched: the files are open. */
function SaveButton({ sessionId, marks }: { sessionId: string; marks: readonly FileMark[] }) {
  const { t } = useTranslation('documents-marks')
  const announce = useAnnouncer()
  const [saving, setSaving] = useState<Saving>()

  async function save() {
    setSaving({ kind: 'busy' })
    try {
      const data = asData(marks)
      await saveMarks(sessionId, data)
      setSaving({ kind: 'saved', marks })
      announce(t('saved'))
      postToParent({ type: 'marksPositioned', data })
    } catch (error) {
      setSaving({ kind: 'failed', error })
    }
  }

  return (
    <>
      {saving?.kind === 'failed' && <ProblemNote error={saving.error} />}
      {saving?.kind === 'saved' && saving.marks === marks && (
        <p className={classes.saved}>
          <CircleCheck size={18} aria-hidden="true" /> {t('saved')}
        </p>
      )}
      <Button
        loading={saving?.kind === 'busy'}
        leftSection={<Save size={16} aria-hidden="true" />}
        onClick={() => void save()}
      >
        {t('save')}
      </Button>
    </>
  )
}
