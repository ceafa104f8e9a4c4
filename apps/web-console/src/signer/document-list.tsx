import { BookOpen, Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { fill } from '../shared/i18n/fill.ts'
import { useAttempt } from '../shared/signing/use-attempt.ts'
import { Preview } from './preview.tsx'
import { Problem } from './problem.tsx'
import { fileOf, removeDocument, type Session, type SessionDocument } from './session-api.ts'
import classes from './signer.module.css'
import { useTexts } from './use-texts.ts'

/** Gives a file to the person under a name. */
async function save(id: string, which: 'content' | 'signed', name: string): Promise<void> {
  const address = URL.createObjectURL(await fileOf(id, which))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  URL.revokeObjectURL(address)
}

const endings = { Pdf: '-signed.pdf', Cms: '.p7s', Xml: '-signed.xml' } as const

const signedName = ({ name, signatureType }: SessionDocument): string =>
  signatureType === 'Cms' ? `${name}${endings.Cms}` : `${name.replace(/\.[^.]*$/, '')}${endings[signatureType]}`

export function DocumentList({ session, onChange }: { session: Session; onChange: (session: Session) => void }) {
  const texts = useTexts()
  const isPending = session.status === 'Pending'
  return (
    <ul className={classes.documents} aria-label={texts.documents}>
      {session.documents.map((one) => (
        <li key={one.id} className={classes.document}>
          <DocumentItem document={one} isPending={isPending} onChange={onChange} />
        </li>
      ))}
    </ul>
  )
}

interface ItemProps {
  document: SessionDocument
  isPending: boolean
  onChange: (session: Session) => void
}

function DocumentItem({ document: one, isPending, onChange }: ItemProps) {
  const texts = useTexts()
  const [reads, setReads] = useState(false)
  const { busy, failure, attempt } = useAttempt()
  const { id, name } = one
  const named = (text: string) => fill(text, { name })
  return (
    <>
      <p className={classes.name}>{name}</p>
      <p className={classes.checksum}>
        {texts.checksum} <code>{one.sha256}</code>
      </p>
      <div className={classes.actions}>
        {isPending && (
          <button type="button" aria-expanded={reads} onClick={() => setReads(!reads)}>
            <BookOpen size={16} aria-hidden="true" /> {named(reads ? texts.hide : texts.read)}
          </button>
        )}
        {isPending && (
          <button type="button" disabled={busy} onClick={() => void attempt(() => save(id, 'content', name))}>
            <Download size={16} aria-hidden="true" /> {named(texts.original)}
          </button>
        )}
        {one.isSignedAvailable && (
          <button type="button" disabled={busy} onClick={() => void attempt(() => save(id, 'signed', signedName(one)))}>
            <Download size={16} aria-hidden="true" /> {named(texts.signed)}
          </button>
        )}
        {isPending && one.isUploaded && (
          <button
            type="button"
            disabled={busy}
            onClick={() => void attempt(async () => onChange(await removeDocument(id)))}
          >
            <Trash2 size={16} aria-hidden="true" /> {named(texts.remove)}
          </button>
        )}
      </div>
      {failure !== undefined && <Problem error={failure} />}
      {reads && isPending && <Preview document={one} />}
    </>
  )
}
