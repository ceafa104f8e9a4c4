import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { formatDay, formatTaxId } from '../../shared/format/format-brazilian.ts'
import { useFormats } from '../../shared/format/use-formats.ts'
import { Facts } from '../../shared/parts/facts.tsx'
import { PageHead } from '../../shared/parts/page-head.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import type { Institute } from '../api/types.ts'
import { integrationQuery, setIntegration } from '../api/webhooks.ts'
import { BackLink } from '../parts/back-link.tsx'
import { DeleteButton } from '../parts/delete-button.tsx'
import { PageOfItem } from '../parts/page-of-item.tsx'
import classes from '../parts/parts.module.css'
import { useRights } from '../parts/rights.ts'
import { useFieldWords } from '../parts/use-field-words.ts'
import { WebhookForm } from '../parts/webhook-form.tsx'
import { draftOf } from './institute-draft.ts'
import { InstituteForm } from './institute-form.tsx'
import { AnnulledListsPanel, CertificatePanel, InspectionsPanel, RegistryPanel } from './institute-panels.tsx'

/** One institution: for an Administrador to change, for others to read. */
export function InstitutePage() {
  const { t } = useTranslation('credentials-institutes')
  const { id } = useParams({ from: '/shell/institutes/$id' })
  const { may } = useRights()
  const back = <BackLink to="/institutes">{t('title')}</BackLink>
  return (
    <PageOfItem<Institute> resource="institutes" id={id} title={t('one')} back={back}>
      {(institute) => (
        <>
          <PageHead title={institute.name} above={back} lead={t(`kind.${institute.kind}`)}>
            {may('institutes.manage') && <Delete institute={institute} />}
          </PageHead>
          <InstituteFacts institute={institute} />
          <CertificatePanel id={id} />
          {may('webhooks.manage') && <IntegrationPanel id={id} />}
          {institute.kind !== 'Issuer' && (
            <>
              {may('institutes.manage') && <RegistryPanel id={id} />}
              <AnnulledListsPanel id={id} />
            </>
          )}
          <InspectionsPanel id={id} />
          {may('institutes.manage') && <InstituteForm key={institute.updateDate} id={id} draft={draftOf(institute)} />}
        </>
      )}
    </PageOfItem>
  )
}

function Delete({ institute: { id, name } }: { institute: Institute }) {
  const { t } = useTranslation('credentials-institutes')
  return (
    <DeleteButton
      resource="institutes"
      id={id}
      title={t('delete.title', { name })}
      text={t('delete.text')}
      done={t('delete.done', { name })}
      back="/institutes"
    />
  )
}

/** What everybody reads; the id is what a partner is given. */
function InstituteFacts({ institute }: { institute: Institute }) {
  const { t } = useTranslation(['credentials-institutes', 'credentials'])
  const { name } = useFieldWords()
  const { dateAndMinute } = useFormats()
  const { id, code, cnpj, publicUrl, data, updateDate } = institute
  const { credenciamento, endereco } = data
  return (
    <Panel title={t('facts.title')}>
      <Facts
        rows={[
          [
            t('facts.id'),
            <span key="id" className={classes.copied}>
              <code>{id}</code>
              <CopyButton text={id} what={t('facts.id')} />
            </span>,
          ],
          [name('code'), code],
          [name('cnpj'), formatTaxId(cnpj)],
          [name('publicUrl'), publicUrl],
          [name('endereco'), [endereco.logradouro, endereco.numero, endereco.nomeMunicipio].filter(Boolean).join(', ')],
          [
            name('credenciamento'),
            credenciamento.tipo &&
              `${credenciamento.tipo} ${credenciamento.numero}, ${formatDay(credenciamento.data ?? '')}`,
          ],
          [name('mantenedora'), data.mantenedora?.razaoSocial],
          [t('credentials:updated'), dateAndMinute(updateDate)],
        ]}
      />
    </Panel>
  )
}

function IntegrationPanel({ id }: { id: string }) {
  const { t } = useTranslation('credentials-institutes')
  return (
    <Panel title={t('webhook.title')} lead={t('webhook.lead')}>
      <Queried query={useQuery(integrationQuery(id))}>
        {(stored) => <WebhookForm stored={stored} save={(body) => setIntegration(id, body)} canFollow />}
      </Queried>
    </Panel>
  )
}
