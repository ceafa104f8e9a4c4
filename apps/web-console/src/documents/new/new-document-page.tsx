import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Loading } from '../../shared/parts/loading.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { useAction } from '../../shared/parts/use-action.ts'
import { createDocuments } from '../api/documents.ts'
import type { CreatedDocument, NewDocuments } from '../api/types.ts'
import { NotAllowed } from '../parts/not-allowed.tsx'
import { useRights } from '../parts/rights.ts'
import { type Envelope, FilesPanel } from './files-panel.tsx'
import { asFlowActions, asObservers, type DraftFlow, isComplete } from './flow-draft.ts'
import { FlowPanel } from './flow-panel.tsx'
import { MarksPanel } from './marks-panel.tsx'
import { type MoreDraft, MorePanel } from './more-panel.tsx'
import classes from './new.module.css'
import { type NewFile, referenceTo, useNewFiles } from './use-new-files.ts'

/** A new document, for those who may create one. */
export function NewDocumentPage() {
  const { t } = useTranslation('documents-new')
  const { isKnown, may } = useRights()
  return (
    <>
      <PageHead title={t('title')} lead={may('documents.create') && t('lead')} />
      {!isKnown && <Loading lines={10} />}
      {isKnown && (may('documents.create') ? <NewDocument /> : <NotAllowed />)}
    </>
  )
}

/** Everything a new document needs, on one page. */
function NewDocument() {
  const { t } = useTranslation('documents-new')
  const { folder } = useSearch({ from: '/shell/documents/new' })
  const navigate = useNavigate()
  const files = useNewFiles()
  const [envelope, setEnvelope] = useState<Envelope>({ isEnvelope: false, name: '' })
  const [flow, setFlow] = useState<DraftFlow>([])
  const [more, setMore] = useState<MoreDraft>({
    folderId: folder ?? null,
    expiration: '',
    message: '',
    observers: [],
    notified: '',
  })
  const [strict, setStrict] = useState(false)
  const { run, busy } = useAction(createDocuments, (made) =>
    documentsIn(made).length === 1 ? t('created') : t('createdSeveral', { count: documentsIn(made).length }),
  )
  const joined = envelope.isEnvelope && files.files.length > 1
  const missing = whatIsMissing(files.files, flow, joined ? envelope.name : undefined)

  async function send() {
    setStrict(true)
    if (missing) return
    const made = await run(asRequest(files.files, joined ? envelope.name : undefined, flow, more))
    if (!made) return
    const [id, ...others] = documentsIn(made)
    if (id && others.length === 0) await navigate({ to: '/documents/$id', params: { id } })
    else await navigate({ to: '/documents', search: more.folderId ? { folder: more.folderId } : {} })
  }

  return (
    <>
      <FilesPanel files={files} envelope={envelope} onEnvelope={setEnvelope} />
      <FlowPanel flow={flow} onChange={setFlow} strict={strict} />
      <MarksPanel files={files.files} flow={flow} onChange={setFlow} />
      <MorePanel draft={more} onChange={setMore} />
      <div className={classes.send}>
        {strict && missing && (
          <p className={classes.bad} role="alert">
            {t('incomplete', { what: t(`missing.${missing}`) })}
          </p>
        )}
        <Button
          size="md"
          loading={busy}
          leftSection={<Send size={18} aria-hidden="true" />}
          onClick={() => void send()}
        >
          {t('send')}
        </Button>
      </div>
    </>
  )
}

/** The documents that were made; the files of an envelope are told apart, but make one. */
const documentsIn = (made: readonly CreatedDocument[]) => [...new Set(made.map(({ documentId }) => documentId))]

/** The first reason why the documents cannot be created yet. */
function whatIsMissing(files: readonly NewFile[], flow: DraftFlow, envelopeName: string | undefined) {
  if (files.length === 0 || files.some(({ state }) => state.kind !== 'sent')) return 'files'
  if (envelopeName?.trim() === '') return 'envelope'
  if (flow.length === 0) return 'flow'
  return isComplete(flow) ? undefined : 'people'
}

function asRequest(
  files: readonly NewFile[],
  envelopeName: string | undefined,
  flow: DraftFlow,
  more: MoreDraft,
): NewDocuments {
  const notifiedEmails = more.notified
    .split(/[,;\s]+/)
    .map((email) => email.trim())
    .filter((email) => email !== '')
  const observers = asObservers(more.observers)
  return {
    files: files.flatMap(({ file, state }) => (state.kind === 'sent' ? [referenceTo(file, state.uploadId)] : [])),
    flowActions: asFlowActions(flow),
    ...(envelopeName !== undefined && { isEnvelope: true, envelopeName: envelopeName.trim() }),
    ...(more.folderId && { folderId: more.folderId }),
    ...(more.expiration && { expirationDate: more.expiration }),
    ...(more.message.trim() && { description: more.message.trim() }),
    ...(observers.length > 0 && { observers }),
    ...(notifiedEmails.length > 0 && { notifiedEmails }),
  }
}
