"""Our own word problems in 27 languages: what the firewall must not take for English."""

TRANSLATIONS: dict[str, tuple[str, ...]] = {
    "es": (
        "Una panadera vende 12 panes por la mañana y 8 por la tarde. ¿Cuántos panes vende en total?",
        "Pedro tiene 15 canicas y regala la tercera parte a su hermana. ¿Cuántas canicas le quedan?",
        "Un tren recorre 240 km en 3 horas. ¿Cuál es su velocidad media?",
        "¿Cuántos huevos quedan?",
    ),
    "fr": (
        "Une boulangère vend 12 pains le matin et 8 l'après-midi. Combien de pains vend-elle en tout ?",
        "Paul a 15 billes et en donne un tiers à sa sœur. Combien de billes lui reste-t-il ?",
        "Un train parcourt 240 km en 3 heures. Quelle est sa vitesse moyenne ?",
        "Combien d'œufs reste-t-il ?",
    ),
    "de": (
        "Eine Bäckerin verkauft am Morgen 12 Brötchen und am Nachmittag 8. Wie viele verkauft sie insgesamt?",
        "Jonas hat 15 Murmeln und schenkt seiner Schwester ein Drittel davon. Wie viele Murmeln bleiben ihm?",
        "Ein Zug legt in 3 Stunden 240 km zurück. Wie schnell fährt er im Durchschnitt?",
        "Wie viele Eier bleiben übrig?",
    ),
    "it": (
        "Una fornaia vende 12 panini al mattino e 8 nel pomeriggio. Quanti panini vende in tutto?",
        "Marco ha 15 biglie e ne regala un terzo a sua sorella. Quante biglie gli restano?",
        "Un treno percorre 240 km in 3 ore. Qual è la sua velocità media?",
        "Quante uova rimangono nel cesto?",
    ),
    "pt": (
        "Uma padeira vende 12 pães de manhã e 8 à tarde. Quantos pães ela vende ao todo?",
        "João tem 15 bolas de gude e dá um terço à irmã. Com quantas bolas ele fica?",
        "Um trem percorre 240 km em 3 horas. Qual é a sua velocidade média?",
        "Quantos ovos sobraram na cesta?",
    ),
    "nl": (
        "Een bakker verkoopt 's ochtends 12 broodjes en 's middags 8. Hoeveel broodjes verkoopt zij in totaal?",
        "Daan heeft 15 knikkers en geeft een derde deel aan zijn zus. Hoeveel knikkers houdt hij over?",
        "Een trein legt in 3 uur 240 km af. Wat is zijn gemiddelde snelheid?",
        "Hoeveel eieren blijven er over?",
    ),
    "pl": (
        "Piekarz sprzedaje rano 12 bułek, a po południu 8. Ile bułek sprzedaje razem?",
        "Janek ma 15 kulek i oddaje siostrze jedną trzecią z nich. Ile kulek mu zostaje?",
        "Pociąg przejeżdża 240 km w ciągu 3 godzin. Jaka jest jego średnia prędkość?",
        "Ile jajek zostało w koszyku?",
    ),
    "cs": (
        "Pekařka prodá ráno 12 rohlíků a odpoledne 8. Kolik rohlíků prodá celkem?",
        "Honza má 15 kuliček a třetinu z nich dá své sestře. Kolik kuliček mu zbude?",
        "Vlak ujede 240 km za 3 hodiny. Jaká je jeho průměrná rychlost?",
        "Kolik vajec zbylo v košíku?",
    ),
    "sv": (
        "En bagare säljer 12 bullar på morgonen och 8 på eftermiddagen. Hur många bullar säljer hon totalt?",
        "Erik har 15 kulor och ger en tredjedel till sin syster. Hur många kulor har han kvar?",
        "Ett tåg kör 240 km på 3 timmar. Vilken är dess medelhastighet?",
        "Hur många ägg finns det kvar?",
    ),
    "tr": (
        "Bir fırıncı sabah 12, öğleden sonra 8 ekmek satıyor. Toplam kaç ekmek satıyor?",
        "Ali'nin 15 bilyesi var ve üçte birini kız kardeşine veriyor. Kaç bilyesi kalıyor?",
        "Bir tren 3 saatte 240 km yol alıyor. Ortalama hızı nedir?",
        "Sepette kaç yumurta kaldı?",
    ),
    "id": (
        "Seorang tukang roti menjual 12 roti di pagi hari dan 8 di sore hari. Berapa roti yang dijualnya?",
        "Budi punya 15 kelereng dan memberikan sepertiganya kepada adiknya. Berapa kelereng yang tersisa?",
        "Sebuah kereta menempuh 240 km dalam 3 jam. Berapa kecepatan rata-ratanya?",
        "Berapa banyak telur yang tersisa?",
    ),
    "vi": (
        "Một người thợ bánh bán 12 ổ bánh buổi sáng và 8 ổ buổi chiều. Hỏi cô ấy bán tất cả bao nhiêu ổ?",
        "Nam có 15 viên bi và cho em gái một phần ba. Hỏi Nam còn lại bao nhiêu viên bi?",
        "Một đoàn tàu đi 240 km trong 3 giờ. Vận tốc trung bình của nó là bao nhiêu?",
        "Còn lại bao nhiêu quả trứng?",
    ),
    "ro": (
        "O brutăreasă vinde 12 pâini dimineața și 8 după-amiaza. Câte pâini vinde în total?",
        "Andrei are 15 bile și îi dă surorii lui o treime din ele. Câte bile îi rămân?",
        "Un tren parcurge 240 km în 3 ore. Care este viteza lui medie?",
        "Câte ouă au rămas în coș?",
    ),
    "fi": (
        "Leipuri myy aamulla 12 sämpylää ja iltapäivällä 8. Montako sämpylää hän myy yhteensä?",
        "Matilla on 15 kuulaa ja hän antaa niistä kolmasosan siskolleen. Montako kuulaa hänelle jää?",
        "Juna kulkee 240 km kolmessa tunnissa. Mikä on sen keskinopeus?",
        "Montako munaa korissa on jäljellä?",
    ),
    "hu": (
        "Egy pék reggel 12, délután 8 zsemlét ad el. Hány zsemlét ad el összesen?",
        "Péternek 15 golyója van, és a harmadát a húgának adja. Hány golyója marad?",
        "Egy vonat 240 km-t tesz meg 3 óra alatt. Mekkora az átlagsebessége?",
        "Hány tojás maradt a kosárban?",
    ),
    "sw": (
        "Mwokaji anauza mikate 12 asubuhi na mikate 8 mchana. Je, anauza mikate mingapi kwa jumla?",
        "Juma ana gololi 15 na anampa dada yake theluthi moja. Je, anabaki na gololi ngapi?",
        "Treni inasafiri kilomita 240 kwa saa 3. Kasi yake ya wastani ni ipi?",
        "Ni mayai mangapi yamebaki kwenye kikapu?",
    ),
    "ru": (
        "Пекарь продаёт утром 12 булочек, а днём 8. Сколько булочек он продаёт всего?",
        "У Пети 15 шариков, и треть он отдаёт сестре. Сколько шариков у него остаётся?",
        "Поезд проходит 240 км за 3 часа. Какова его средняя скорость?",
        "Сколько яиц осталось?",
    ),
    "uk": (
        "Пекарка продає вранці 12 булочок, а вдень 8. Скільки булочок вона продає разом?",
        "У Петрика 15 кульок, і третину він віддає сестрі. Скільки кульок у нього залишається?",
        "Потяг проїжджає 240 км за 3 години. Яка його середня швидкість?",
        "Скільки яєць залишилося?",
    ),
    "el": (
        "Μια φουρνάρισσα πουλάει 12 ψωμάκια το πρωί και 8 το απόγευμα. Πόσα ψωμάκια πουλάει συνολικά;",
        "Ο Νίκος έχει 15 βόλους και δίνει το ένα τρίτο στην αδελφή του. Πόσοι βόλοι του μένουν;",
        "Ένα τρένο διανύει 240 χλμ σε 3 ώρες. Ποια είναι η μέση ταχύτητά του;",
        "Πόσα αυγά έμειναν;",
    ),
    "ar": (
        "تبيع خبازة 12 رغيفا في الصباح و 8 في المساء. كم رغيفا تبيع في المجموع؟",
        "لدى أحمد 15 كرة زجاجية وأعطى أخته ثلثها. كم كرة بقيت معه؟",
        "يقطع قطار 240 كم في 3 ساعات. ما متوسط سرعته؟",
        "كم بيضة بقيت؟",
    ),
    "he": (
        "אופה מוכרת 12 לחמניות בבוקר ו-8 אחר הצהריים. כמה לחמניות היא מוכרת בסך הכול?",
        "ליוסי יש 15 גולות והוא נותן שליש מהן לאחותו. כמה גולות נשארות לו?",
        "רכבת עוברת 240 קילומטרים ב-3 שעות. מהי מהירותה הממוצעת?",
        "כמה ביצים נשארו?",
    ),
    "hi": (
        "एक बेकर सुबह 12 और दोपहर में 8 रोटियाँ बेचती है। वह कुल कितनी रोटियाँ बेचती है?",
        "रवि के पास 15 कंचे हैं और वह एक तिहाई अपनी बहन को देता है। उसके पास कितने कंचे बचते हैं?",
        "एक रेलगाड़ी 3 घंटे में 240 किमी चलती है। उसकी औसत चाल क्या है?",
        "कितने अंडे बचे?",
    ),
    "bn": (
        "একজন রুটিওয়ালা সকালে ১২টি এবং বিকেলে ৮টি রুটি বিক্রি করেন। তিনি মোট কয়টি রুটি বিক্রি করেন?",
        "রবির ১৫টি মার্বেল আছে এবং সে এক তৃতীয়াংশ তার বোনকে দেয়। তার কয়টি মার্বেল থাকে?",
        "কয়টি ডিম বাকি আছে?",
    ),
    "th": (
        "คนทำขนมปังขายขนมปัง 12 ก้อนในตอนเช้าและ 8 ก้อนในตอนบ่าย เธอขายทั้งหมดกี่ก้อน",
        "รถไฟวิ่งได้ 240 กิโลเมตรใน 3 ชั่วโมง ความเร็วเฉลี่ยเป็นเท่าไร",
        "เหลือไข่กี่ฟอง",
    ),
    "zh": (
        "一位面包师早上卖出12个面包,下午卖出8个。她一共卖出多少个面包?",
        "小明有15颗弹珠,他把三分之一送给妹妹。他还剩多少颗弹珠?",
        "一列火车3小时行驶240公里。它的平均速度是多少?",
        "还剩几个鸡蛋?",
    ),
    "ja": (
        "パン屋さんは朝に12個、午後に8個のパンを売ります。全部で何個のパンを売りますか。",
        "太郎はビー玉を15個持っていて、三分の一を妹にあげます。残りは何個ですか。",
        "電車は3時間で240キロ走ります。平均の速さはいくらですか。",
        "卵は何個残っていますか。",
    ),
    "ko": (
        "제빵사는 아침에 빵 12개, 오후에 8개를 팝니다. 모두 몇 개의 빵을 팝니까?",
        "민수는 구슬 15개를 가지고 있고 그중 3분의 1을 동생에게 줍니다. 남은 구슬은 몇 개입니까?",
        "기차는 3시간 동안 240킬로미터를 달립니다. 평균 속력은 얼마입니까?",
        "달걀이 몇 개 남았습니까?",
    ),
}

MIXED = (
    "Janet has 15 marbles and gives a third of them to her sister. ¿Cuántas canicas le quedan a ella ahora?",
    "Eine Bäckerin verkauft am Morgen 12 Brötchen und am Nachmittag 8. How many rolls does she sell in total?",
    "A train travels 240 km in 3 hours without a stop. Quelle est sa vitesse moyenne en kilomètres par heure ?",
    "The baker sells 12 rolls in the morning. После обеда он продаёт ещё 8 булочек. Сколько он продаёт всего?",
    "Tom has 15 marbles. 他把三分之一送给妹妹。他还剩多少颗弹珠? Give the number.",
    "There are 30 eggs in the basket and 12 are broken. Kolik vajec zbylo v košíku po rozbití všech ostatních?",
)

# Three words, or four with half of them of one letter or two, are too few to be sure.
TOO_SHORT = ("¿Cuántos huevos quedan?", "Combien d'œufs reste-t-il ?")
