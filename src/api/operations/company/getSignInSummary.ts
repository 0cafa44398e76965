import { adminsByFactor } from '../../../product/companies/admins-by-factor.ts';
import { expiringCertificates } from '../../../product/sign-in-connections/saml/expiring-certificates.ts';
import type { Handler } from '../../handler.ts';

export const getSignInSummary: Handler<'getSignInSummary'> = async (_request, { tenant }) => {
  const [admins, certificates] = [await adminsByFactor(tenant), await expiringCertificates(tenant)];
  return { status: 200, body: { admins, expiring_certificates: certificates } };
};
