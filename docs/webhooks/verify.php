<?php

const TOLERANCE_S = 300;

/**
 * Whether a webhook request is genuine and fresh.
 *
 * @param string $secret the secret of the subscription, from "whsec_" on
 * @param array<string, string> $headers by names in lower case: array_change_key_case(getallheaders())
 * @param string $body the bytes as they were received: file_get_contents('php://input')
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
