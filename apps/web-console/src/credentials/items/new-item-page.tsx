import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { formQuery, type MadeResource, readCurriculumData } from '../api/forms.ts'
import { meQuery } from '../api/session.ts'
import { DocumentEditor } from '../editor/document-editor.tsx'
import { readDraft } from '../editor/kept-drafts.ts'
import { emptyDrafts } from '../editor/request-body.ts'
import { BackLink } from '../parts/back-link.tsx'
import { useOrganization } from '../parts/rights.ts'

export const NewDegreePage = () => <NewItemPage resource="degrees" />
export const NewEmissionPage = () => <NewItemPage resource="emissions" />
export const NewTranscriptPage = () => <NewItemPage resource="academic-transcripts" />
export const NewCurriculumPage = () => <NewItemPage resource="curriculums" />

/** A document, made from what is typed; what institution and course say is filled in. */
function NewItemPage({ resource }: { resource: MadeResource }) {
  const { t } = useTranslation('credentials-items')
  return (
    <>
      <PageHead
        title={t(`kind.${resource}.new`)}
        above={<BackLink to={`/${resource}`}>{t(`kind.${resource}.title`)}</BackLink>}
        lead={t('making.lead')}
      />
      <Editor resource={resource} />
    </>
  )
}

/** The draft to go on with: of another document where the address names one, else the one that was kept. */
async function startOf(resource: MadeResource, key: string, from: string | undefined) {
  if (from !== undefined) return { draft: { ...(await readCurriculumData(from)) }, savedAt: undefined }
  const kept = await readDraft(key)
  return kept ?? { draft: emptyDrafts[resource], savedAt: undefined }
}

function Editor({ resource }: { resource: MadeResource }) {
  const { language } = useLanguage()
  const { from }: { from?: string } = useSearch({ strict: false })
  const { data: me } = useQuery(meQuery)
  const organization = useOrganization()
  // Nobody goes on with the draft of somebody else, or of another organization.
  const draftKey = JSON.stringify([me?.email, organization?.id, resource])
  const form = useQuery(formQuery(resource, language))
  const registration = useQuery({ ...formQuery('registrations', language), enabled: resource === 'degrees' })
  const start = useQuery({
    queryKey: ['draft', draftKey, from, language],
    queryFn: () => startOf(resource, draftKey, from),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const isReady = resource !== 'degrees' || registration.data !== undefined
  return (
    <Queried query={start} lines={10}>
      {({ draft, savedAt }) => (
        <Queried query={form} lines={10}>
          {(shown) =>
            isReady && (
              <DocumentEditor
                key={`${draftKey} ${from} ${language}`}
                resource={resource}
                form={shown}
                registration={registration.data}
                start={draft}
                savedAt={savedAt}
                draftKey={draftKey}
              />
            )
          }
        </Queried>
      )}
    </Queried>
  )
}
