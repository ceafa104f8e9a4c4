import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { Dialog } from '../../shared/parts/dialog.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { createActionUrl } from '../api/documents.ts'
import classes from './document.module.css'

export interface LinkDialogProps {
  documentId: string
  flowActionId: string
  person: { readonly name: string; readonly identifier: string | null; readonly email: string | null }
  onClose: () => void
}

/** Creates the link at which a participant acts. */
export function LinkDialog({ documentId, flowActionId, person, onClose }: LinkDialogProps) {
  const { t } = useTranslation('documents-document')
  const { name, identifier, email } = person
  const query = useQuery({
    queryKey: ['action-url', documentId, flowActionId, identifier, email],
    queryFn: () =>
      createActionUrl(documentId, { flowActionId, ...(identifier ? { identifier } : { emailAddress: email }) }),
    // A link expires: each opening of the dialog requests a new one.
    gcTime: 0,
  })
  return (
    <Dialog title={t('flow.linkTitle', { name })} onClose={onClose}>
      <p>{t('flow.linkHint', { name })}</p>
      <Queried query={query} lines={2}>
        {({ url }) => (
          <div className={classes.link}>
            <code className={classes.address}>{url}</code>
            <span className={classes.linkButtons}>
              <CopyButton text={url} what={t('flow.copyLink', { name })} />
              <a href={url}>{t('flow.open')}</a>
            </span>
          </div>
        )}
      </Queried>
    </Dialog>
  )
}
