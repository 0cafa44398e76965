<?php

const TOLERANCE_S = 300;

/**
 * Verifies the signature and age of a webhook request.
 *
 * @param string $secret the subscription's secret, including "whsec_"
 * @param array<string, string> $headers with lowercase names: array_change_key_case(getallheaders())
 * @param string $body the raw body: file_get_contents('php://input')
 */
function verify(string $secret, array $headers, string $body, ?int $now_s = null): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $signatures = $headers['webhook-signature'] ?? '';
    if (!preg_match('/\A[0-9]{1,12}\z/', $timestamp)) {
        return false;
    }
    if (abs(($now_s ?? time()) - (int) $timestamp) > TOLERANCE_S) {
        return false;
    }

    $key = base64_decode(substr($secret, strlen('whsec_')));
    $digest = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    $expected = 'v1,' . base64_encode($digest);
    foreach (explode(' ', $signatures) as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}
