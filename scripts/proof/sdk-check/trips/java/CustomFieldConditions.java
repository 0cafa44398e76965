package com.example.trip;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Conditions on custom fields by key. The generated code calls this method on a map in the query, but maps do not have it. */
public class CustomFieldConditions extends TreeMap<String, Object> {
  public String toUrlQueryString(String name) {
    return entrySet().stream().map(each -> parameter(name, each)).collect(Collectors.joining("&"));
  }

  private static String parameter(String name, Map.Entry<String, Object> condition) {
    return encoded(name + "[" + condition.getKey() + "]") + "=" + encoded(String.valueOf(condition.getValue()));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
