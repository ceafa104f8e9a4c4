import { useTranslation } from 'react-i18next'
import { CopyButton } from '../clipboard/copy-button.tsx'
import classes from './authenticator.module.css'
import { QrCode } from './qr-code.tsx'

/** The secret of an authenticator app, to scan or to type. */
export function AuthenticatorSecret({ secret, uri }: { secret: string; uri: string }) {
  const { t } = useTranslation()
  return (
    <>
      <p>{t('authenticator.scan')}</p>
      <QrCode text={uri} label={t('authenticator.qrCode')} />
      <p>{t('authenticator.type')}</p>
      <div className={classes.secret}>
        <code className={classes.value} translate="no">
          {inFours(secret)}
        </code>
        <CopyButton text={secret} what={t('authenticator.secret')} />
      </div>
    </>
  )
}

/** Groups of four are easier to type into a phone. */
const inFours = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')
